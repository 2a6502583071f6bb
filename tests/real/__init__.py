"""Classes, defines and resource types of real modules, compared with the released Puppet."""
