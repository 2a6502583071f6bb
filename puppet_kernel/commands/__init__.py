"""Inputs other than Puppet code: commands and questions, the same in both front ends."""
