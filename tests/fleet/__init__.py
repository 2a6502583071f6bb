"""Tests of one program that is compiled for many nodes."""
