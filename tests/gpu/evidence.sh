#!/usr/bin/env bash
# Everything that is shown of Weir on a GPU before code for GPUs is taken: equal digests of CPU, GPU and mixed runs, the
# validation tests on GPU workers only, blocks that move between ranks, compute-sanitizer. For a machine with a GPU and
# MPI; some minutes.
#
#   tests/gpu/evidence.sh WEIR MIGRATE FOLDER      programs: build/weir and build/tests/system/migrate.
#                                                  FOLDER gets digests.txt, validation.txt, migration.txt and sanitizer.txt
set -euo pipefail
[[ $# == 3 ]] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
weir=$(realpath "$1")
migrate=$(realpath "$2")
shift 2
ranks=(mpirun -q --oversubscribe --bind-to none -np)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mkdir -p "$1"
out=$(realpath "$1")
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

# Flows whose blocks go to and fro among ranks; with one GPU it is rank 0 that has it.
migration() {
    local failed=0 count
    for count in 2 3; do
        echo "\$ mpirun -np $count migrate compare all"
        STARPU_NCPU=2 timeout 100 "${ranks[@]}" "$count" "$migrate" compare all 2>&1 || failed=1
    done
    return $failed
}

# sanitized TOOL KEY=VALUE WORKERS [LAUNCHER...]
sanitized() {
    local tool=$1 keys=$2 workers=$3
    shift 3
    "$@" compute-sanitizer --tool "$tool" --error-exitcode 1 "$weir" run configs/channel_sphere.json --quiet --force \
        --set 'domain.cells=[132,20,18]' --set 'solids=[{"sphere":{"center":[40,10,9],"radius":4}}]' \
        --set 'blocks.cells=[66,20,9]' --set "$keys" --set output=[] --set "placement.workers=$workers" --steps 6 \
        --out "$out/sanitized" 2>&1 | grep -E 'SUMMARY|rror'
}

sanitizer() {
    local failed=0 tool keys
    for tool in memcheck racecheck; do
        for keys in precision=single precision=double storage=half; do
            echo "compute-sanitizer --tool $tool, $keys"
            sanitized "$tool" "$keys" cuda || failed=1
            echo "compute-sanitizer --tool $tool, $keys, two ranks"
            STARPU_NCPU=2 sanitized "$tool" "$keys" auto "${ranks[@]}" 2 || failed=1
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
migration >"$out/migration.txt" || status=1
grep -c ' D[23]Q' "$out/migration.txt"
sanitizer | tee "$out/sanitizer.txt" || status=1
exit $status
