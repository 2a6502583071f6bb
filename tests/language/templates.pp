# EPP: what a template sees

class c {
  $l = 5
  $given = inline_epp('<%- |$q| -%><%= $l + $q %>', { 'q' => 1 })
  $none = inline_epp('<%= $l + $q %>', { 'q' => 2 })
}
include c
[$c::given, $c::none]                           #=> ['6', '7']
[5].map |$l| { inline_epp('<%- |$q = $l| -%><%= $q %>') }   #=> ['5']
---
# Its parameters are bound by the rules for those of classes.

inline_epp('<%- |$x = $y, $y| -%><%= $x %>', { 'y' => 3 })  #=> '3'
inline_epp('<%- |Integer $x = 1| -%><%= $x %>', { 'x' => undef })  #=> '1'
---
inline_epp('<%- |Integer $x = "a"| -%>')        ### Error while evaluating a Function Call, lambda: parameter 'x' expects an Integer value, got String
---
inline_epp('<%- |Integer $x = "a", $y| -%>', { 'z' => 1 })  ### Error while evaluating a Function Call, lambda:\n  has no parameter named 'z'\n  parameter 'x' expects an Integer value, got String\n  expects a value for parameter 'y'
---
inline_epp('<%- |$x = $y, $y = 1| -%>')         ### Error while evaluating a Function Call, lambda: default expression for $x tries to illegally access not yet evaluated $y
---
inline_epp('<%- |$facts = 1| -%>')              ### Error while evaluating a Function Call, Attempt to assign to a reserved variable name: 'facts'
---
# `return` and `next` end it.

inline_epp('a<% return("b") %>c')               #=> 'b'
inline_epp('a<% if true { next("b") } %>c')     #=> 'b'
[1, 2].map |$x| { inline_epp('<% [3].each |$y| { return("c${y}") } %>') }   #=> ['c3', 'c3']
---
inline_epp('a<% break() %>c')                   ### break() from context where this is illegal
---
inline_epp('<% if { %>')                        ### Error while evaluating a Function Call, inline_epp(): Invalid EPP: Syntax error at end of input (file: inlined-epp-text)
---
# Comments leave the blanks around them, but for those beside a hyphen.

inline_epp("a <%# b %> c <%#- d %> e <%# f -%> \ng <%#- h -%>\ni")  #=> 'a  c e gi'
