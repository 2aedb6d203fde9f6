#!/bin/sh
# What `make demo` shows, on the shipped entries: lint them, search them in three languages, read one.
set -eu
cd "$(dirname "$0")"
kb="${BIN:-.venv/bin}/kb"
export PYTHONUTF8=1

step() {
    printf '\n== %s\n' "$1"
    shift
    printf '$ kb'
    for word in "$@"; do
        case $word in *' '*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n\n'
    "$kb" "$@" 2>&1
}

step 'Are the records well-formed and traceable? Errors only; none prints nothing but the counts.' lint --quiet
step 'What is known about push and the first token, with NIXL?' search 'push ttft connector:nixl' --limit 3
step 'The same in Japanese' search 'プッシュ 初回トークン遅延' --limit 3
step 'and in Portuguese, typed without accents' search 'tempo ate o primeiro token push' --limit 3
step 'One evaluation: setup, result, conclusion, and what has changed since' show aws-push-vs-pull-efa
step 'Does it still hold, for a deployment that runs pull on one pair? Nothing that cannot matter, everything that can' \
    audit vllm-bidirectional-multi-turn --for efa-p5en-1p1d-pull --fail-on none
step 'and one claim whole: why, what would settle it, what was looked at and is silent' audit aws-push-vs-pull-efa/heavy-load-tpot --fail-on none

printf '\n== Your own, in five minutes (kb is in %s; put it on PATH as here, or run pip install .)\n' "${BIN:-.venv/bin}"
printf '$ %s\n' "export PATH=\"$(cd "$(dirname "$kb")" && pwd):\$PATH\"" 'kb init ../our-evaluations' \
    'cd ../our-evaluations' 'kb new evaluation my-first-test'
