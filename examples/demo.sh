#!/bin/sh
# Reduces the bundled failing input, in a copy: before, progress, after.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$(dirname "$0")"/settings/* "$folder"
cd "$folder"

echo "Before: settings.py fails on shop.conf, a file of $(wc -l < shop.conf) lines."
echo
echo "$ python3 settings.py shop.conf"
python3 settings.py shop.conf 2>&1 | tail -n 1
echo
echo "minrepro runs the failing command on smaller and smaller versions of the file."
echo
echo "$ minrepro reduce shop.conf -- python3 settings.py shop.conf"
minrepro reduce shop.conf -- python3 settings.py shop.conf
echo
echo "After: the bug is a setting that refers to itself."
echo
echo "$ cat shop.min.conf"
cat shop.min.conf
echo
