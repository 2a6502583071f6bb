# Nobody finds this class: its name asks for the file wrong_name.pp.
class motd::wrong_name { }
