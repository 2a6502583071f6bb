"""Inputs that are no Puppet code: commands and questions, the same in both front ends."""
