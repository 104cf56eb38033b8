#!/usr/bin/env bash
# Everything that is shown of Weir on a GPU before code for GPUs is taken: equal digests of CPU, GPU and mixed runs and of two
# ranks, the validation tests on GPU workers only, blocks that move between ranks, compute-sanitizer. For a machine with a GPU
# and MPI; some minutes. Without a GPU it shows what cores can show.
#
#   tests/gpu/evidence.sh [OPTIONS] WEIR MIGRATE FOLDER     programs: build/weir and build/tests/programs/migrate.
#       --part LIST      some of digests,ranks,configs,boundaries,validation,migration,sanitizer (default: all of them)
#       --only K/N       digests, ranks, configs: the Kth of N parts of all variants or cases
#       --seconds N      no test is begun after so many: those left out count as failed
#   FOLDER gets a text file for each part (digests_K.txt of the Kth of N); the last lines of what failed are shown, too.
set -euo pipefail
usage() { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
parts=digests,ranks,configs,boundaries,validation,migration,sanitizer
only=1/1
seconds=86400
while [[ ${1:-} == --* ]]; do
    [[ $# -ge 2 ]] || usage
    case $1 in
        --part) parts=$2 ;;
        --only) only=$2 ;;
        --seconds) seconds=$2 ;;
        *) usage ;;
    esac
    shift 2
done
[[ $# == 3 && $only == [1-9]*/[1-9]* && $seconds != *[!0-9]* ]] || usage
for part in ${parts//,/ }; do
    [[ " digests ranks configs boundaries validation migration sanitizer " == *" $part "* ]] || usage
done
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
gpu=1
! grep -q 'GPUs: 0$' "$out/machine.txt" || gpu=0

# Seconds that are left.
left() { echo $((seconds > SECONDS ? seconds - SECONDS : 0)); }

# limited COMMAND...: for as long as there is time.
limited() {
    [[ $(left) -gt 0 ]] || { echo "left out, for time was up: $*"; return 1; }
    timeout "$(left)" "$@"
}

# digests OPTION...
digests() {
    STARPU_NCPU=2 STARPU_WORKERS_NOBIND=1 python3 tests/gpu/digests.py "$weir" 200 "$@" --only "$only" --seconds "$(left)" 2>&1
}

# Where a GPU is, workers are GPUs unless a case says otherwise.
validation() {
    local failed=0 name job
    declare -A jobs
    for name in conservation couette half_storage poiseuille sphere_drag taylor_green "cavity_ghia Fine EveryVariant"; do
        # shellcheck disable=SC2086 # name and arguments
        set -- $name
        limited python3 "tests/cases/$1.py" "$weir" "${@:2}" >"$out/$1.log" 2>&1 &
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
        echo "\$ mpirun -np $count migrate compare"
        STARPU_NCPU=2 limited timeout 200 "${ranks[@]}" "$count" "$migrate" compare "$([[ $gpu == 1 ]] && echo all || echo cpu)" 2>&1 || failed=1
    done
    return $failed
}

# sanitized TOOL CASE WORKERS KEY=VALUE... [-- LAUNCHER...]: shows what the tool found, and all that was said where it did not end well.
sanitized() {
    local tool=$1 case=$2 workers=$3 options=() failed=0
    shift 3
    while [[ $# -gt 0 && $1 != -- ]]; do
        options+=(--set "$1")
        shift
    done
    shift $(($# > 0)) # the --
    echo "compute-sanitizer --tool $tool $* weir run $case ${options[*]}"
    limited "$@" compute-sanitizer --tool "$tool" --error-exitcode 1 "$weir" run "configs/$case.json" --quiet --force "${options[@]}" \
        --set output=[] --set "placement.workers=$workers" --steps 6 --out "$out/sanitized" >"$out/sanitized.log" 2>&1 || failed=1
    if [[ $failed == 1 ]]; then cat "$out/sanitized.log"; else grep -E 'SUMMARY|rror' "$out/sanitized.log" || failed=1; fi
    return $failed
}

sanitizer() {
    local failed=0 tool keys case
    [[ $gpu == 1 ]] || { echo "no GPU: nothing to look at"; return 0; }
    local sphere=('domain.cells=[132,20,18]' 'solids=[{"sphere":{"center":[40,10,9],"radius":4}}]' 'blocks.cells=[66,20,9]')
    local wet='boundaries={"z-":{"type":"zou_he_velocity","velocity":[0.02,0,0]},"z+":{"type":"regularised_pressure","density":1}}'
    # Each has cells whose turn comes in tasks of its own: gas and surface, two liquids, solids that conduct, walls of a gas.
    local cells=("dam_break domain.cells=[200,40]" "drop_impact domain.cells=[66,48]" "rising_drop domain.cells=[66,80]" heat_exchanger
        "dam_break lattice=D3Q19 domain.cells=[72,20,18] force=[0,-2e-5,0] solids=[]" "heated_cavity domain.cells=[66,66]"
        "rayleigh_taylor domain.cells=[66,48]" "spinodal domain.cells=[66,40]")
    local ends='boundaries={"y-":{"type":"velocity","velocity":[0,0.01,0]},"y+":{"type":"pressure","density":1}}' periodic='domain.periodic=[true,false,true]'
    local kept=('collision={"operator":"recursive"}' "$periodic" "$ends")
    for tool in memcheck racecheck; do
        for keys in storage=moments storage=mixed_moments; do
            sanitized "$tool" channel_sphere cuda "${sphere[@]}" 'collision={"operator":"recursive"}' "$keys" blocks.planes_at_once=4 || failed=1
            # More cells of a tile at an inlet than there are notes of (boundaries.py).
            sanitized "$tool" channel_sphere cuda "domain.cells=[1056,26,32]" "solids=[]" "${kept[@]}" "$keys" || failed=1
        done
        sanitized "$tool" channel_sphere cuda "${sphere[@]}" "${kept[@]}" storage=moments precision=double || failed=1
        for keys in precision=single precision=double storage=half "$wet"; do
            sanitized "$tool" channel_sphere cuda "${sphere[@]}" "$keys" || failed=1
            STARPU_NCPU=2 sanitized "$tool" channel_sphere auto "${sphere[@]}" "$keys" 'ranks.grid=[1,1,2]' -- "${ranks[@]}" 2 || failed=1
        done
        for case in "${cells[@]}"; do
            # shellcheck disable=SC2086 # name and keys
            set -- $case
            sanitized "$tool" "$1" cuda "${@:2}" || failed=1
        done
    done
    rm -rf "$out/sanitized" "$out/sanitized.log"
    return $failed
}

run_part() {
    case $1 in
        digests) digests --runs one ;;
        ranks) digests --runs ranks ;;
        configs) digests --of configs ;;
        boundaries) limited python3 tests/gpu/boundaries.py "$weir" 2>&1 ;;
        validation) validation ;;
        migration) migration ;;
        sanitizer) sanitizer ;;
    esac
}

# show PART PATTERN: runs a part; shows these lines of its log, or the end of it where something failed.
show() {
    local part=$1 pattern=$2 log=$out/$1.txt
    [[ ,$parts, == *,$part,* ]] || return 0
    [[ $only == 1/1 || $part != digests && $part != ranks && $part != configs ]] || log=$out/${part}_${only%/*}.txt
    echo "$part:"
    if run_part "$part" >"$log"; then
        grep -E "$pattern" "$log"
    else
        grep -vE '^[^ ]+( [^ ]+ [^ ]+ [^ ]+)? equal ' "$log" | tail -n 60 # not the digests that are equal
        echo "$part failed: $log"
        status=1
    fi
}

status=0
show digests ' passed,'
show ranks ' passed,'
show configs ' passed,'
show validation '^(Ran|OK|FAILED)'
show boundaries 'different'
show migration '^\$| D[23]Q'
show sanitizer .
exit $status
