"""Ruby code of modules: functions of both interfaces and ERB templates, run by the Ruby of the machine.

Only for sessions that permit it: such code can do all that a program can. A companion process runs it, which asks back
for variables, functions and resources while this side waits; `host/` is its part, `companion` the conversation.
"""
