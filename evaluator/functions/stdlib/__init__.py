"""The functions of the module puppetlabs-stdlib that other modules use most."""
