#!/bin/sh
# What `make demo` shows: one evaluation of the shipped entries found, read, and judged for a deployment.
set -eu
cd "$(dirname "$0")"
kb="${BIN:-.venv/bin}/kb"
export PYTHONUTF8=1

# step TITLE WORD...: the command as one can type it, then what it prints; MOST=N stops after N lines.
step() {
    printf '\n== %s\n$ kb' "$1"
    shift
    for word in "$@"; do
        case $word in *' '*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    if [ "${MOST:-}" ]; then
        printf ' | head -n %s\n' "$MOST"
        "$kb" "$@" | head -n "$MOST"
    else
        printf '\n'
        "$kb" "$@"
    fi
}

step 'Does anybody know whether reading KV back saves a second prefill?' search 'multi-turn ttft' --limit 1
MOST=22 step 'Read it: what was compared, the figures; then how each claim stands today, and why' \
    show vllm-bidirectional-multi-turn
step 'Is it about our deployment? Each claim is answered, with the reason' \
    audit vllm-bidirectional-multi-turn --for efa-p5en-1p1d-pull --fail-on none

cat <<NEXT

== Try next (kb is in ${BIN:-.venv/bin}; \`pip install .\` puts it on PATH)
kb search '複数ターン TTFT'       the same entry, in the language you think in
kb audit --fail-on none           every claim at the newest releases, by cause
kb audit --for "vllm serve MODEL --tensor-parallel-size 8"    for what you run
kb init ../our-evaluations        a base of your own that knows all of this
NEXT
