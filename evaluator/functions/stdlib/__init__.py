"""The functions of puppetlabs-stdlib that modules use most."""
