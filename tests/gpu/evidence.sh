#!/usr/bin/env bash
# Everything that is shown of Weir on a GPU before code for GPUs is taken: equal digests of CPU, GPU and mixed runs, the
# validation tests on GPU workers only, compute-sanitizer. For a machine with a GPU; some minutes.
#
#   tests/gpu/evidence.sh WEIR FOLDER      FOLDER gets digests.txt, validation.txt and sanitizer.txt
set -euo pipefail
[[ $# == 2 ]] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
weir=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
export STARPU_HOME=${STARPU_HOME:-$out/starpu}
mkdir -p "$STARPU_HOME"
"$weir" info >"$out/machine.txt" 2>&1 # measures the buses once, before runs stand side by side

# Where a GPU is, workers are GPUs unless a case says otherwise.
validation() {
    local failed=0 name job
    declare -A jobs
    for name in conservation couette half_storage poiseuille sphere_drag taylor_green "cavity_ghia Plane EveryVariant"; do
        # shellcheck disable=SC2086 # name and arguments
        set -- $name
        python3 "tests/cases/$1.py" "$weir" "${@:2}" >"$out/$1.log" 2>&1 &
        jobs[$1]=$!
    done
    for job in "${!jobs[@]}"; do
        wait "${jobs[$job]}" || failed=1
        echo "\$ python3 tests/cases/$job.py weir"
        cat "$out/$job.log"
        rm "$out/$job.log"
    done
    return $failed
}

sanitizer() {
    local failed=0 tool keys
    for tool in memcheck racecheck; do
        for keys in precision=single precision=double storage=half; do
            echo "compute-sanitizer --tool $tool, $keys"
            compute-sanitizer --tool "$tool" --error-exitcode 1 "$weir" run configs/channel_sphere.json --quiet --force \
                --set 'domain.cells=[132,20,18]' --set 'solids=[{"sphere":{"center":[40,10,9],"radius":4}}]' \
                --set 'blocks.cells=[66,20,9]' --set "$keys" --set output=[] --set placement.workers=cuda --steps 6 \
                --out "$out/sanitized" 2>&1 | grep -E 'SUMMARY|rror' || failed=1
        done
    done
    rm -rf "$out/sanitized"
    return $failed
}

status=0
STARPU_NCPU=2 STARPU_WORKERS_NOBIND=1 python3 tests/gpu/digests.py "$weir" 200 >"$out/digests.txt" 2>&1 || status=1
tail -n 1 "$out/digests.txt"
validation >"$out/validation.txt" || status=1
grep -E '^(Ran|OK|FAILED)' "$out/validation.txt"
sanitizer | tee "$out/sanitizer.txt" || status=1
exit $status
