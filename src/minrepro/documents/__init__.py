"""What a case is made of: text, tokens, trees. A document turns a configuration into the bytes of a case."""
