class kit {
  $own = 'of the class'
  notify { kit_scope('own')[0]: }
}
