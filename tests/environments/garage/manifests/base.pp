# Stands before site.pp in the order of names; knows its function all the same.
$welcome = greeting($trusted['hostname'])
