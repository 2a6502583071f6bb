type Stdlibless::Home = Pattern[/\A\/(home|srv)\/[^\/]+\z/]
