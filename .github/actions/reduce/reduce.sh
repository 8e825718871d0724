#!/bin/sh
# Reduces INPUT while COMMAND fails, within TIME, and resumes what an earlier job did not finish.
#
#   INPUT=crash.json COMMAND='python3 load.py crash.json' TIME=20m STATE=.minrepro OUT=minrepro-out sh reduce.sh
#
# OPTIONS may hold further options of minrepro reduce, such as '-j 4 --effort fast'.
# STATE must be kept between jobs (a cache). OUT gets the result, report.html, and comment.md for a comment.
set -eu
: "${INPUT:?}" "${COMMAND:?}" "${TIME:=20m}" "${STATE:=.minrepro}" "${OUT:=minrepro-out}"
mkdir -p "$OUT"
result="$OUT/$(basename "$INPUT")"
# The words of COMMAND are split as a shell does it; the command line of an earlier job must be the same to be resumed.
eval "set -- $COMMAND"
status=0
minrepro reduce "$INPUT" --state-dir "$STATE" --resume --max-time "$TIME" ${OPTIONS:-} -o "$result" --json -- "$@" \
    > "$OUT/summary.json" || status=$?
[ "$status" = 0 ] || { echo "minrepro exited with status $status" >&2; exit "$status"; }
[ ! -s "$OUT/summary.json" ] || cp "$OUT/summary.json" "$STATE/summary.json"
minrepro report "$STATE" --explain -q -o "$OUT/report.html" -o "$OUT/comment.md"
if grep -q '"finished": false' "$STATE/summary.json"; then
    printf '\nNot finished yet: the next job continues.\n' >> "$OUT/comment.md"
fi
[ -z "${GITHUB_OUTPUT:-}" ] || printf 'result=%s\ncomment=%s\n' "$result" "$OUT/comment.md" >> "$GITHUB_OUTPUT"
