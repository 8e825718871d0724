"""What is reduced: each kind of input says what its parts are, and how a candidate is made of them."""
