type Beacon::Seconds = Integer[1, 3600]
