class profile::users(Hash[String, Hash] $users) {
  $users.each |String $name, Hash $user| {
    profile::user { $name:
      * => $user - ['keys'],
    }
  }
  Profile::User <| groups == 'wheel' |> { shell => '/bin/zsh' }
  realize(Profile::User['anna'])
}
