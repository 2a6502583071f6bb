# a define that contains a class which was included before: the class gets its tags, what that includes does not
class inner { notify { 'inner': } }
class kept { include inner  piece { 'kept': }  contain deeper }
class deeper { notify { 'deeper': } }
class early { notify { 'early': } }
define piece { notify { "piece ${title}": } }
define around { contain kept  notify { "around ${title}": } }
define outer { around { "${title}-in": } }
class top { contain early }
include kept
include top
around { 'one': tag => ['first', 'a::b'] }
outer { 'two': }
@around { 'three': tag => 'third' }
Around <| title == 'three' |>
