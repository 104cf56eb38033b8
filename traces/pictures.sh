#!/usr/bin/env bash
# Makes the pictures of README.md: three runs of a cavity, as ViTE draws their traces.
# Usage: traces/pictures.sh [WEIR [DIR]]     the program (default: build/weir), the folder (default: out/pictures)
# It takes two cores, mpirun, ViTE, and Chromium or rsvg-convert to turn its drawings (SVG) into PNG. Half a minute.
set -euo pipefail

ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
WEIR=$(realpath -- "${1-$ROOT/build/weir}")
mkdir -p "${2-out/pictures}"
cd -- "${2-out/pictures}"

# draw NAME: NAME/paje.trace to NAME.svg and NAME.png. ViTE keeps settings, which are none of ours: a home of its own.
draw() {
    local home
    home=$(mktemp -d)
    HOME=$home XDG_RUNTIME_DIR=$home QT_QPA_PLATFORM=offscreen vite -e "$1.svg" "$1/paje.trace" >"$home/said" 2>&1 ||
        { cat "$home/said" >&2 && exit 1; }
    if command -v rsvg-convert >/dev/null; then
        rsvg-convert -o "$1.png" "$1.svg"
    else
        chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$home/profile" \
            --window-size=800,600 --screenshot="$PWD/$1.png" "file://$PWD/$1.svg" >/dev/null 2>&1
    fi
    rm -rf "$home"
}

# picture NAME OPTION...: a trace of the cavity, on so many ranks, and its picture.
ranks=()
picture() {
    local name=$1
    shift
    "${ranks[@]}" "$WEIR" trace "$ROOT/configs/cavity3d.json" --set 'output=[]' --quiet --force --out "$name" "$@" |
        sed -n "1s/^/$name: /p"
    draw "$name"
}

picture balanced --steps 6 --set 'blocks.cells=[64,64,64]' --set placement.policy=static
picture bouncing --steps 4 --set 'blocks.cells=[32,32,32]' --set placement.policy=starpu:lws
# Two ranks with a core each, and each with one thin block: nothing is left to compute while messages travel.
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks=(mpirun -np 2 --bind-to none)
picture exchange --steps 6 --set 'domain.cells=[256,256,8]' --set 'blocks.cells=[256,256,4]'
