"""Printing of syntax trees as Puppet source (`formatter`) and as Puppet Notation (`pn`)."""
