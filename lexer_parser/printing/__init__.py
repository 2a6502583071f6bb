"""Printing of syntax trees as Puppet source (`layout`) and as Puppet Notation (`pn`)."""
