type Kit::Name = Pattern[/\A[a-z]+\z/]
