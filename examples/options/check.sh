#!/bin/sh
# Exits 0 if the program that the command builds prints another sum than it should.
sh "$1" && sum=$(./sum) && test "$sum" != 14.3927
