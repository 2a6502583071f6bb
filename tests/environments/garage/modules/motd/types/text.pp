type Motd::Text = String[1, 80]
