// Preprocessed C of everyday programs, for the comparison with reducers that want an ANTLR grammar.
grammar C;
compilationUnit : externalDeclaration* EOF ;
externalDeclaration : functionDefinition | declaration | ';' ;
functionDefinition : specifiers? declarator declaration* compound ;
declaration : specifiers ( initDeclarator ( ',' initDeclarator )* )? ';' ;
specifiers : specifier+ ;
specifier
    : 'typedef' | 'extern' | 'static' | 'auto' | 'register' | 'inline' | 'const' | 'volatile' | 'restrict'
    | 'void' | 'char' | 'short' | 'int' | 'long' | 'float' | 'double' | 'signed' | 'unsigned'
    | record | enumeration | NAME | attribute
    ;
attribute : '__attribute__' '(' '(' ( expression )? ')' ')' ;
record : ( 'struct' | 'union' ) ( NAME | NAME? '{' field* '}' ) ;
field : specifiers ( fieldDeclarator ( ',' fieldDeclarator )* )? ';' ;
fieldDeclarator : declarator ( ':' conditional )? | ':' conditional ;
enumeration : 'enum' ( NAME | NAME? '{' enumerator ( ',' enumerator )* ','? '}' ) ;
enumerator : NAME ( '=' conditional )? ;
initDeclarator : declarator attribute* ( '=' initializer )? ;
declarator : pointer* direct ;
pointer : '*' ( 'const' | 'volatile' | 'restrict' )* ;
direct : NAME | '(' declarator ')' | direct '[' assignment? ']' | direct '(' parameters? ')' ;
parameters : parameter ( ',' parameter )* ( ',' '...' )? ;
parameter : specifiers ( declarator | abstractDeclarator )? ;
abstractDeclarator : pointer+ abstractDirect? | abstractDirect ;
abstractDirect
    : '(' abstractDeclarator ')' | '[' assignment? ']' | '(' parameters? ')'
    | abstractDirect '[' assignment? ']' | abstractDirect '(' parameters? ')'
    ;
typeName : specifiers abstractDeclarator? ;
initializer : assignment | '{' ( initializer ( ',' initializer )* ','? )? '}' ;
statement
    : compound | labelled | expression? ';' | selection | loop | jump
    ;
compound : '{' blockItem* '}' ;
blockItem : declaration | statement ;
labelled : NAME ':' statement | 'case' conditional ':' statement | 'default' ':' statement ;
selection : 'if' '(' expression ')' statement ( 'else' statement )? | 'switch' '(' expression ')' statement ;
loop
    : 'while' '(' expression ')' statement
    | 'do' statement 'while' '(' expression ')' ';'
    | 'for' '(' expression? ';' expression? ';' expression? ')' statement
    | 'for' '(' declaration expression? ';' expression? ')' statement
    ;
jump : 'goto' NAME ';' | 'continue' ';' | 'break' ';' | 'return' expression? ';' ;
expression : assignment ( ',' assignment )* ;
assignment : conditional | unary OPERATOR_ASSIGN assignment | unary '=' assignment ;
conditional : binary ( '?' expression ':' conditional )? ;
binary : cast ( operator cast )* ;
operator
    : '*' | '/' | '%' | '+' | '-' | '<<' | '>>' | '<' | '>' | '<=' | '>=' | '==' | '!=' | '&' | '^' | '|' | '&&' | '||'
    ;
cast : '(' typeName ')' cast | unary ;
unary
    : postfix | '++' unary | '--' unary | ( '&' | '*' | '+' | '-' | '~' | '!' ) cast
    | 'sizeof' unary | 'sizeof' '(' typeName ')'
    ;
postfix
    : primary | postfix '[' expression ']' | postfix '(' ( assignment ( ',' assignment )* )? ')'
    | postfix '.' NAME | postfix '->' NAME | postfix '++' | postfix '--'
    ;
primary : NAME | NUMBER | CHARACTER | STRING+ | '(' expression ')' ;
OPERATOR_ASSIGN : '*=' | '/=' | '%=' | '+=' | '-=' | '<<=' | '>>=' | '&=' | '^=' | '|=' ;
NAME : [A-Za-z_] [A-Za-z_0-9]* ;
NUMBER : ( [0-9] | '.' [0-9] ) [0-9A-Za-z_.]* ;
CHARACTER : '\'' ( '\\' . | ~['\\] )+ '\'' ;
STRING : '"' ( '\\' . | ~["\\] )* '"' ;
DIRECTIVE : '#' ~[\n]* -> channel(HIDDEN) ;
COMMENT : ( '/*' .*? '*/' | '//' ~[\n]* ) -> channel(HIDDEN) ;
SPACE : [ \t\r\n\f]+ -> channel(HIDDEN) ;
