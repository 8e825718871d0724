// JSON (RFC 8259), for the comparison with reducers that want an ANTLR grammar.
grammar JSON;
json : value EOF ;
value : mapping | array | STRING | NUMBER | 'true' | 'false' | 'null' ;
mapping : '{' ( pair ( ',' pair )* )? '}' ;
pair : STRING ':' value ;
array : '[' ( value ( ',' value )* )? ']' ;
STRING : '"' ( '\\' . | ~["\\] )* '"' ;
NUMBER : '-'? [0-9]+ ( '.' [0-9]+ )? ( [eE] [-+]? [0-9]+ )? ;
SPACE : [ \t\r\n]+ -> channel(HIDDEN) ;
