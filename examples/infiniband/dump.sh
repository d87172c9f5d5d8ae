#!/usr/bin/env bash
# Routes the simulated fabric torus.net with a real OpenSM and dumps what docs/infiniband.md needs, without InfiniBand hardware.
# Usage: ./dump.sh ENGINE [OPENSM-OPTION…]     ENGINE: minhop, updn, lash, dfsssp, …
# Writes torus.ibnetdiscover, ENGINE.lfts, ENGINE.paths and ENGINE.sl2vl into this folder. Needs the packages opensm, ibsim-utils, infiniband-diags.
set -euo pipefail
cd "$(dirname "$0")"
engine=$1
shift
work=$(mktemp -d)
export OSM_TMP_DIR=$work OSM_CACHE_DIR=$work
mkfifo "$work/commands"
sleep 600 > "$work/commands" & keep=$!                          # the simulator ends with its standard input
ibsim -s torus.net < "$work/commands" > "$work/ibsim.log" 2>&1 & fabric=$!
trap 'kill $keep $fabric ${sm:-} 2>/dev/null; rm -rf "$work"' EXIT
sleep 1
ibsim-run opensm -R "$engine" -d 2 -f "$work/opensm.log" "$@" > /dev/null 2>&1 & sm=$!   # -d 2: its log is not held back
for _ in $(seq 100); do grep -q "SUBNET UP" "$work/opensm.log" 2>/dev/null && break || sleep 0.1; done
grep -q "$engine tables configured" "$work/opensm.log" || echo "OpenSM did not route with $engine, see its log" >&2
ibsim-run ibnetdiscover > torus.ibnetdiscover 2> /dev/null
ibsim-run dump_lfts > "$engine.lfts" 2> /dev/null
sed -n 's/^Switch[[:space:]]*\([0-9]*\) .* lid \([0-9]*\) lmc.*/\2 \1/p' torus.ibnetdiscover | while read -r lid ports; do
  for port in $(seq "$ports"); do ibsim-run smpquery sl2vl "$lid" "$port"; done
done > "$engine.sl2vl" 2> /dev/null
# ibsim cuts long answers: one question for each pair of adapters. On a cluster: saquery PR.
lids=$(grep '^\[.*"H-' torus.ibnetdiscover | sed 's/.* lid \([0-9]*\).*/\1/' | sort -n)
for from in $lids; do
  for to in $lids; do
    [ "$from" = "$to" ] || ibsim-run saquery PR --slid "$from" --dlid "$to" 2> /dev/null
  done
done | grep -E 'PathRecord|[sd]lid\.|^\s*sl\.' > "$engine.paths"
echo "$engine: $(grep -c 'Unicast lids' "$engine.lfts") tables, $(grep -c PathRecord "$engine.paths") path records"
