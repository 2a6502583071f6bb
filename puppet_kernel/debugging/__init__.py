"""What all front ends need to debug: where breakpoints stand, and a conversation about a program that is stopped."""
