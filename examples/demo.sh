#!/bin/sh
# Reduces the bundled failing input, in a copy: before, progress, after.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$(dirname "$0")"/settings/* "$folder"
cd "$folder"

echo "Before: a reader of settings fails on shop.conf, a file of $(wc -l < shop.conf) lines."
echo
echo "$ python3 settings.py shop.conf"
python3 settings.py shop.conf 2>&1 | tail -n 1
echo
echo "A check tells whether that failure shows; minrepro runs it until nothing more can go."
echo
echo "$ minrepro reduce ./check.sh shop.conf"
minrepro reduce ./check.sh shop.conf
echo
echo "After: a value that stands for itself is enough."
echo
echo "$ cat shop.min.conf"
cat shop.min.conf
echo
