# How the module is used: two lines of the message of the day.
motd::line { 'from the example': }
motd::line { 'and another': }
