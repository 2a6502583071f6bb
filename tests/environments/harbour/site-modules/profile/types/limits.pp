type Profile::Limits = Hash[Pattern[/\A[a-z]+\z/], Integer[0]]
