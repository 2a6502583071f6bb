class profile::database (
  Sensitive[String] $password,
  Enum['small', 'large'] $size = 'small',
) {
  notify { "a ${size} database": }
  file { '/etc/db.password':
    content => $password,
    mode    => '0600',
  }
}
