type Motd::Port = Integer[1, 65535]
