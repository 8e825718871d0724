// XML without a limit to how deep elements are inside each other: for documents too deep for the bundled grammar.
grammar XML;

document : prolog? element epilog? ;
prolog : ( DECLARATION | DOCTYPE | INSTRUCTION | COMMENT | SPACE )+ ;
epilog : ( INSTRUCTION | COMMENT | SPACE )+ ;
element : OPEN NAME attribute* CLOSE content? OPEN_END NAME CLOSE | OPEN NAME attribute* CLOSE_EMPTY ;
attribute : NAME EQUALS VALUE ;
content : ( element | TEXT | SPACE | REFERENCE | COMMENT | INSTRUCTION | CDATA )+ ;

COMMENT : '<!--' .*? '-->' ;
CDATA : '<![CDATA[' .*? ']]>' ;
DOCTYPE : '<!DOCTYPE' ( ~[[\]>] | '[' ~[\]]* ']' )* '>' ;
DECLARATION : '<?xml' [ \t\r\n] .*? '?>' ;
INSTRUCTION : '<?' .*? '?>' ;
REFERENCE : '&' '#'? [A-Za-z0-9_:.-]+ ';' ;
OPEN_END : '</' -> pushMode(TAG) ;
OPEN : '<' -> pushMode(TAG) ;
SPACE : [ \t\r\n]+ ;
TEXT : ~[<&]+ ;

mode TAG;
CLOSE_EMPTY : '/>' -> popMode ;
CLOSE : '>' -> popMode ;
EQUALS : '=' ;
VALUE : '"' ~["<]* '"' | '\'' ~['<]* '\'' ;
NAME : [A-Za-z_:\u0080-\u{10FFFF}] [A-Za-z0-9_:.\-\u0080-\u{10FFFF}]* ;
GAP : [ \t\r\n]+ -> skip ;
