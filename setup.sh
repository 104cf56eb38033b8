#!/usr/bin/env bash
# Builds Weir and everything it stands on, then runs what was asked for.
#
# It does four things, each only where needed: install the distribution's packages, build StarPU 1.4 in the
# user's cache folder, configure and compile Weir in build/, hand over to weir or to the tests.
# It changes nothing outside the cache folder and the build folder except through apt-get install.
set -euo pipefail

ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
BUILD=$ROOT/${WEIR_BUILD_DIR:-build}
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/weir
PROGRAM=weir # in the build folder
JOBS=$(nproc)
CPU_ONLY=no
WITH_TESTS=yes
INSTALL=yes                   # packages, where apt-get can
FOR_PACKAGE=no                # StarPU is going to be moved
STARPU_SOURCE=${WEIR_STARPU-} # a tarball; empty: the distribution's source package
CUDA_DIR= # the CUDA toolkit's folder; empty when Weir is built without CUDA

# The StarPU that Weir was measured with, and the suites it may come from: a suite moves on, so any newer
# 1.4.x in one of them will do as well.
STARPU_PIN=1.4.10+dfsg-2
declare -A STARPU_SUITES=([debian]="forky sid trixie" [ubuntu]="devel")
# One collide/stream task names its block and every message around it; StarPU's default of 8 is too few.
STARPU_MIN_BUFFERS=64

BUILD_PACKAGES=(build-essential meson ninja-build pkg-config dpkg-dev libfxt-dev libhwloc-dev libopenmpi-dev
    openmpi-bin libjansson-dev libhdf5-openmpi-dev libpng-dev libfreetype-dev fonts-dejavu-core libmuparser-dev libassimp-dev
    libtiff-dev)
# What unit tests are written with, and hold our hash against. Without, they are left out.
UNIT_TEST_PACKAGES=(libcmocka-dev libxxhash-dev)
TEST_PACKAGES=(clang-format shellcheck python3-jsonschema python3-h5py python3-numpy vite)
# ParaView's Python, although it is large: Debian builds VTK's own package (python3-vtk9) without the XDMF reader.
XDMF_PACKAGE=python3-paraview
# Opens the pages of weir compare, weir scale and weir trace. Ubuntu has it as a snap only, which apt-get does not bring.
BROWSER_PACKAGE=chromium
# The same needs in words that any system understands, for those without apt.
NEEDED_COMMANDS=(cc c++ make meson ninja pkg-config mpicc)
NEEDED_MODULES=(hwloc jansson libpng freetype2 muparser)

usage() {
    cat <<'END'
Usage: ./setup.sh [OPTION...] [COMMAND [ARGUMENT...]]

  (no command)          build Weir and what it needs
  run CASE [OPTION...]  build what is missing, then run a case
  test [OPTION...]      build, then run the tests; options go to 'meson test' (--suite unit, a test's name, ...)
  starpu                provide StarPU alone, for a package that brings it along (meson's option bundle_starpu), and print
                        the folder of its pkg-config files
  COMMAND ...           any other command of weir: check, info, bench, compare, scale, show, trace

  --cpu-only            leave CUDA out, also where nvcc is there
  --no-tests            build no tests; what only they need is not needed
  --no-packages         install nothing: say what is missing, also where apt-get could bring it
  --starpu FILE         build StarPU from this tarball (starpu-1.4.*.tar.gz, of its own site or a distribution's)
  --help                this text

Environment:
  WEIR_MESON_OPTIONS    more options for 'meson setup', for example "--werror -Dnative=true"
  WEIR_BUILD_DIR        another build folder, relative to this one (default: build)
  WEIR_STARPU           the same as --starpu
  XDG_CACHE_HOME        where StarPU is kept, in weir/ (default: ~/.cache)
  CUDA_HOME             the CUDA toolkit, where nvcc is not on PATH (default: /usr/local/cuda)
END
}

# ---- telling what happens -----------------------------------------------------------------------------------

# Everything this script says goes to stderr: stdout belongs to the program that it starts.
say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

# stage TITLE LOG COMMAND...: runs the command with its output in LOG and says how long it took. When it fails,
# the end of the log is shown and the script stops. The command runs in a subshell with errexit on, so a function
# may be given; never call stage itself inside a condition, where bash would ignore errexit.
stage() {
    local title=$1 log=$2 start=$SECONDS status
    shift 2
    mkdir -p "$(dirname "$log")"
    printf 'setup: %s ... ' "$title" >&2
    set +e
    (
        set -e
        "$@"
    ) >"$log" 2>&1
    status=$?
    set -e
    if ((status != 0)); then
        printf 'failed after %d s\n' $((SECONDS - start)) >&2
        tail -n 30 "$log" >&2
        fail "the whole log: $log"
    fi
    printf '%d s\n' $((SECONDS - start)) >&2
}

# ---- the distribution's packages ----------------------------------------------------------------------------

# Prints the packages among the arguments that are not installed.
missing_packages() {
    local installed package
    installed=$(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
        sed -nE 's/(:[a-z0-9]+)? installed$//p') || true
    for package; do
        grep -qxF -- "$package" <<<"$installed" || printf '%s\n' "$package"
    done
}

apt_get() {
    local sudo=()
    ((EUID == 0)) || sudo=(sudo)
    # --no-remove: a conflict with something the user has installed must stop us, never uninstall it.
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get --yes --no-install-recommends --no-remove -o DPkg::Lock::Timeout=300 "$@"
}

install_missing() {
    # A broken third-party source fails the update but need not keep our packages away: let install decide.
    apt_get update || true
    apt_get install "$@"
}

ensure_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} > 0)) || return 0
    if ((EUID != 0)) && ! { command -v sudo && sudo -v; } >/dev/null 2>&1; then
        fail "packages are missing, and installing them takes root or sudo. As root, run:
    apt-get install --no-install-recommends ${missing[*]}"
    fi
    stage "installing packages: ${missing[*]}" "$CACHE/log/apt.log" install_missing "${missing[@]}"
}

# For those who install by other means: what there is may be all that is needed.
look_for_tools() {
    local missing=() name
    for name in "${NEEDED_COMMANDS[@]}"; do
        command -v "$name" >/dev/null || missing+=("$name (command)")
    done
    for name in "${NEEDED_MODULES[@]}"; do
        pkg-config --exists "$name" 2>/dev/null || missing+=("$name (library, by pkg-config)")
    done
    has_hdf5 || missing+=("hdf5 (library, by pkg-config or h5cc; best one for your MPI)")
    ((${#missing[@]} == 0)) || fail "$(printf '%s\n' \
        "packages are not installed for you (that is done on Debian and Ubuntu, without --no-packages). Missing:" \
        "${missing[@]/#/    }")"
    [[ $WITH_TESTS == no ]] || pkg-config --exists cmocka libxxhash ||
        say "no cmocka or xxHash found: the unit tests are left out"
}

has_hdf5() {
    local name
    for name in hdf5 hdf5-openmpi hdf5-mpich; do
        ! pkg-config --exists "$name" || return 0
    done
    command -v h5cc h5pcc >/dev/null
}

is_debian() { [[ $OS_ID == debian || $OS_ID == ubuntu ]] && command -v apt-get >/dev/null; }

ensure_tools() {
    local packages=("${BUILD_PACKAGES[@]}")
    if [[ $INSTALL == no ]] || ! is_debian; then
        look_for_tools
        return
    fi
    [[ $WITH_TESTS == no ]] || packages+=("${UNIT_TEST_PACKAGES[@]}")
    if [[ $1 == test ]]; then
        packages+=("${TEST_PACKAGES[@]}")
        if [[ -n $(missing_packages python3-vtk9) ]]; then
            packages+=("$XDMF_PACKAGE")
        else
            say "python3-vtk9 is installed, beside which $XDMF_PACKAGE cannot be: XDMF files are not read back"
        fi
        if [[ $OS_ID == debian ]]; then
            packages+=("$BROWSER_PACKAGE")
        elif ! command -v chromium chromium-browser google-chrome >/dev/null; then
            say "no Chromium or Chrome is installed: the pages of weir compare and weir trace are not opened in a browser"
        fi
    fi
    ensure_packages "${packages[@]}"
}

# ---- CUDA ---------------------------------------------------------------------------------------------------

find_cuda() {
    local nvcc
    [[ $CPU_ONLY == no ]] || return 0
    nvcc=$(command -v nvcc) || nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
    [[ -x $nvcc ]] || return 0
    # nvcc on PATH may be a wrapper somewhere else: only nvcc itself knows its toolkit.
    CUDA_DIR=$("$nvcc" --dryrun -x cu -c /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p')
    CUDA_DIR=$(cd -- "${CUDA_DIR:-$(dirname -- "$nvcc")/..}" && pwd) # links not resolved: cuda/ outlives an update
    PATH=$PATH:$CUDA_DIR/bin
}

cuda_lib_dir() {
    local dir
    for dir in "$CUDA_DIR"/{lib64,lib,"lib/$(cc -print-multiarch)"}; do
        [[ -e $dir/libcudart.so ]] && printf '%s\n' "$dir" && return
    done
    fail "nvcc is in $CUDA_DIR/bin, but there is no libcudart.so beside it (./setup.sh --cpu-only builds without CUDA)"
}

# ---- StarPU: is there one? ----------------------------------------------------------------------------------

# FxT is for weir trace alone: where it cannot be had, all else works.
has_fxt() { pkg-config --exists fxt; }

wanted_features() {
    ! has_fxt || printf 'FxT, '
    printf 'MPI%s and %d buffers per task' "${CUDA_DIR:+, CUDA}" "$STARPU_MIN_BUFFERS"
}

# Succeeds when the StarPU that pkg-config offers is one Weir can use; otherwise prints what it lacks and fails. It
# prints FxT only when nothing else is lacking.
# $1 (optional): the prefix to look in instead of the user's own PKG_CONFIG_PATH.
starpu_lacks() {
    local macros flags buffers
    # shellcheck disable=SC2030,SC2031 # it is meant for this subshell only
    (
        ((!$#)) || export PKG_CONFIG_PATH=$1/lib/pkgconfig
        flags=$(pkg-config --cflags starpu-1.4 2>/dev/null) || { echo "starpu-1.4.pc" && exit 1; }
        pkg-config --exists starpumpi-1.4 || { echo "MPI" && exit 1; }
        # shellcheck disable=SC2086 # flags are words
        macros=$(cc -E -dM $flags -include starpu_config.h -x c /dev/null 2>/dev/null) || { echo "headers" && exit 1; }
        [[ -z $CUDA_DIR ]] || grep -q 'define STARPU_USE_CUDA 1' <<<"$macros" || { echo "CUDA" && exit 1; }
        buffers=$(sed -n 's/^#define STARPU_NMAXBUFS //p' <<<"$macros")
        ((${buffers:-0} >= STARPU_MIN_BUFFERS)) || { echo "buffers ($buffers per task)" && exit 1; }
        ! has_fxt || grep -q 'define STARPU_USE_FXT 1' <<<"$macros" || { echo "FxT" && exit 1; }
    )
}

# ---- StarPU: build one --------------------------------------------------------------------------------------

starpu_options() {
    # maxnumanodes is given because configure would otherwise take this machine's count. maxnodes is what these and the GPUs
    # make together: StarPU's tables of buses need as many. No more, for every handle has its square of them in pointers:
    # 21.6 kB with 32, 6.9 kB with 16, 3.0 kB with 8; and a block has 12 to 16 handles.
    # Not --enable-fast: it drops the assertions, which are what tells a failed allocation or a wrong access mode
    # from a wrong result. Without them a task of 13 handles took 0.3 of its 8 us less, hardly more than the noise.
    # No option for sc-hypervisor: even --disable- turns it on. No warnings about CUDA's headers: 100,000 lines.
    cat <<END
--enable-maxcpus=256
--enable-maxcudadev=8
--enable-maxnumanodes=8
--enable-maxbuffers=$STARPU_MIN_BUFFERS
$(if has_fxt; then echo --with-fxt; else echo --without-fxt; fi)
--enable-mpi
CFLAGS=-O2 -g -Wno-deprecated-declarations -Wno-undef
--disable-full-gdb-information
--disable-static
END
    printf -- '--disable-%s\n' build-doc build-examples build-tests fortran glpk hdf5 hip julia leveldb opencl openmp \
        papi socl starpufft starpupy starpurm
    if [[ -z $CUDA_DIR ]]; then
        printf '%s\n' --disable-cuda --enable-maxnodes=8
        return
    fi
    local lib
    lib=$(cuda_lib_dir)
    # libcuda itself comes with the driver: link against the toolkit's stub, so that a machine without GPU builds
    # the same library. The rpath is for toolkits that the dynamic linker does not know of.
    cat <<END
--enable-cuda
--enable-maxnodes=16
--with-cuda-dir=$CUDA_DIR
--with-cuda-lib-dir=$lib
LDFLAGS=-L$lib/stubs -Wl,-rpath,$lib
END
}

# CUDA 13 took computeMode out of cudaDeviceProp; StarPU up to 1.4.10 reads it there. Ask the driver instead, where
# the field is gone and where the text is still there.
patch_starpu() {
    [[ -n $CUDA_DIR ]] || return 0
    if printf '#include <cuda_runtime_api.h>\nint f(struct cudaDeviceProp *p) { return p->computeMode; }\n' |
        cc -fsyntax-only -w -I"$CUDA_DIR/include" -x c - 2>/dev/null; then
        return 0
    fi
    # The loop over files keeps this working when a newer StarPU has renamed or mended them.
    grep -rlF 'props[devid].computeMode ==' src/drivers/cuda | while read -r file; do
        sed -i 's/props\[devid\]\.computeMode ==/({ int mode = 0;\
            cudaDeviceGetAttribute(\&mode, cudaDevAttrComputeMode, devid); mode; }) ==/' "$file"
    done
}

# StarPU also looks for measurements of machines where it was installed first, and warns when that folder is gone. In a
# package it is, and who makes such a folder there is not to be believed.
patch_for_package() { sed -i '/_perf_model_add_dir(STARPU_SAMPLING_DIR,/d' src/core/perfmodel/perfmodel.c; }

# What a build depends on. It goes into the folder's name, so that a new compiler, CUDA, option or patch means a
# new build and two checkouts with the same needs share one.
starpu_key() {
    {
        starpu_options
        printf '%s\n' "$OS_ID ${OS_VERSION_ID-}"
        cc --version | head -n 1
        [[ -z $CUDA_DIR ]] || "$CUDA_DIR/bin/nvcc" --version
        declare -f patch_starpu
        [[ -z $STARPU_SOURCE ]] || sha256sum <"$STARPU_SOURCE"
        [[ $FOR_PACKAGE == no ]] || declare -f patch_for_package
    } | sha256sum | cut -c 1-12
}

# Writes this machine's own package sources, as source-code entries of another suite, into sources.d. Mirrors, options
# and keys stay as the user set them up. HERE: the names, as a pattern, by which the machine calls its own suite.
sources_of_suite() {
    local suite=$1 here=$2 file
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do # one entry per line
        [[ ! -r $file ]] ||
            sed -nE "s/^\s*deb(-src)?\s+((\[[^]]*\]\s+)?\S+)\s+($here)\s+(.*)/deb-src \2 $suite \5/p" "$file"
    done | sort -u >"sources.d/$suite.list"
    for file in /etc/apt/sources.list.d/*.sources; do # one entry per paragraph
        [[ ! -r $file ]] || sed '/^#/d' "$file" | awk -v suite="$suite" -v here="^($here)\$" '
            BEGIN { RS = ""; FS = "\n" }
            {
                wanted = 0
                disabled = 0
                for (i = 1; i <= NF; i++) {
                    field = tolower($i)
                    if (field ~ /^enabled:[ \t]*no/) disabled = 1
                    if (field ~ /^types:/) $i = "Types: deb-src"
                    if (field ~ /^suites:/) {
                        count = split($i, word, /[ \t]+/)
                        for (j = 2; j <= count; j++) if (word[j] ~ here) wanted = 1
                        $i = "Suites: " suite
                    }
                }
                if (wanted && !disabled) {
                    for (i = 1; i <= NF; i++) print $i
                    print ""
                }
            }'
    done >"sources.d/$suite.sources"
    find sources.d -type f -empty -delete
    [[ -e sources.d/$suite.list || -e sources.d/$suite.sources ]]
}

# Writes the apt configuration of a private apt into the current folder: its own sources, lists and cache. The
# system's keys and its settings for the network stay in force, so signatures are checked as always.
private_apt() {
    mkdir -p sources.d lists/partial cache/archives/partial
    cat >apt.conf <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$PWD/sources.d";
Dir::State::Lists "$PWD/lists";
Dir::Cache "$PWD/cache";
APT::Sandbox::User "$(id -un)";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
}

# Downloads a source package of StarPU into the current folder and writes its version to the file 'version'.
fetch_starpu() {
    local suite version versions best=
    private_apt
    for suite in ${STARPU_SUITES[$OS_ID]}; do
        # Some machines name their release ("bookworm"), others its class ("stable").
        sources_of_suite "$suite" "$OS_CODENAME" ||
            sources_of_suite "$suite" 'oldstable|stable|testing|unstable|sid' || continue
        # The update fails when one mirror lacks the suite; what counts is whether StarPU is there now.
        apt-get -c apt.conf update || true
        versions=$(apt-cache -c apt.conf showsrc --only-source starpu | sed -n 's/^Version: \(1\.4\..*\)/\1/p') || true
        if grep -qxF "$STARPU_PIN" <<<"$versions"; then
            best=$STARPU_PIN
            break
        fi
        for version in $versions; do
            ! dpkg --compare-versions "$version" gt "${best:-$STARPU_PIN}" || best=$version
        done
    done
    [[ -n $best ]] || { echo "found no StarPU $STARPU_PIN or newer 1.4.x in: ${STARPU_SUITES[$OS_ID]}" && return 1; }
    apt-get -c apt.conf source --only-source --download-only "starpu=$best"
    dpkg-source --no-check --extract starpu_*.dsc source # apt has checked it against the signed list
    echo "$best" >version
}

# The same from the tarball that the user names.
unpack_starpu() {
    local version
    mkdir source
    tar --extract --file "$STARPU_SOURCE" --directory source --strip-components 1
    version=$(sed -n "s/^PACKAGE_VERSION='\(.*\)'/\1/p" source/configure) || true
    [[ $version == 1.4.* ]] || { echo "this is ${version:+StarPU $version, and }no release of StarPU 1.4" && return 1; }
    echo "$version" >version
}

configure_starpu() {
    local options
    mapfile -t options < <(starpu_options)
    (
        cd source
        patch_starpu
        [[ $FOR_PACKAGE == no ]] || patch_for_package
    )
    mkdir build && cd build
    ../source/configure --prefix="$1" "${options[@]}"
}

# Only the parts that Weir uses: the library, its tools, MPI, and the top level's headers and .pc files.
compile_starpu() {
    local part
    cd build
    for part in src tools mpi; do make -j"$JOBS" -C "$part"; done
    for part in src tools mpi; do make -C "$part" install; done
    make install-am
}

build_starpu() {
    local key=$1 log=$CACHE/log/starpu work prefix lacks here=$PWD
    work=$(mktemp -d "$CACHE/tmp-XXXXXX")
    # shellcheck disable=SC2064 # this folder, now
    trap "rm -rf '$work'" EXIT
    cd "$work"
    if [[ -n $STARPU_SOURCE ]]; then
        stage "unpacking $STARPU_SOURCE" "$log-fetch.log" unpack_starpu
    else
        stage "fetching StarPU's source package" "$log-fetch.log" fetch_starpu
    fi
    prefix=$CACHE/starpu-$(<version)-$key
    rm -rf "$prefix" # without its stamp it is what an interrupted build has left
    stage "configuring StarPU $(<version)" "$log-configure.log" configure_starpu "$prefix"
    stage "compiling StarPU $(<version)" "$log-compile.log" compile_starpu "$prefix"
    lacks=$(starpu_lacks "$prefix") || fail "the StarPU just built lacks $lacks; see $log-configure.log"
    date >"$work/complete"
    mv "$work/complete" "$prefix/.complete"
    cd "$here" # relative paths of cases are the caller's
    rm -rf "$work"
    trap - EXIT
}

# Prints the prefix of a finished StarPU with this key, the pinned version first, else the newest.
cached_starpu() {
    local prefix
    for prefix in "$CACHE/starpu-$STARPU_PIN-$1" $(printf '%s\n' "$CACHE"/starpu-*-"$1" | sort -rV); do
        if [[ -e $prefix/.complete && -e $prefix/lib/libstarpumpi-1.4.so ]] && starpu_lacks "$prefix" >/dev/null; then
            printf '%s\n' "$prefix"
            return
        fi
    done
    return 1
}

ensure_starpu() {
    local lacks key prefix
    has_fxt || say "no FxT found: weir trace will not be able to record"
    if [[ -n $STARPU_SOURCE ]]; then
        lacks="what is in $STARPU_SOURCE"
    elif lacks=$(starpu_lacks); then
        return
    elif ! is_debian; then
        [[ $lacks != FxT ]] || { say "the StarPU installed here lacks FxT: weir trace will not be able to record" && return; }
        fail "no StarPU 1.4 with $(wanted_features) is installed here (it lacks $lacks). Have one built: ./setup.sh --starpu FILE,
    where FILE is a tarball of StarPU 1.4 (starpu-1.4.*.tar.gz)"
    fi
    [[ $CACHE != *[[:space:]]* ]] ||
        fail "StarPU cannot be built in a folder with spaces in its name ($CACHE): set XDG_CACHE_HOME to another"
    key=$(starpu_key)
    if ! prefix=$(cached_starpu "$key"); then
        [[ $lacks == *.pc || -n $STARPU_SOURCE ]] ||
            say "the StarPU installed here lacks $lacks: building one with $(wanted_features)"
        mkdir -p "$CACHE"
        # Two checkouts must not build into the same folder. The lock is left to the children on purpose: when this
        # script is killed, the next one waits for an orphaned make before it clears up behind it.
        exec 9>"$CACHE/lock"
        flock --nonblock 9 || { say "another Weir is building StarPU: waiting for it" && flock 9; }
        if ! prefix=$(cached_starpu "$key"); then
            rm -rf "$CACHE"/tmp-??????
            build_starpu "$key"
            prefix=$(cached_starpu "$key")
        fi
        exec 9>&-
    fi
    # shellcheck disable=SC2031
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
}

# ---- Weir ---------------------------------------------------------------------------------------------------

# Configuring anew empties the build folder. So it must be one that meson has made, or hold nothing but our logs, and
# never hold this checkout.
check_build_folder() {
    local path entry
    path=$(realpath -m -- "$BUILD")
    [[ $ROOT/ != "${path%/}"/* ]] ||
        fail "WEIR_BUILD_DIR: $path holds Weir's source: name a folder that is for building alone, like build"
    [[ ! -e $path || -d $path ]] || fail "WEIR_BUILD_DIR: $path is not a folder: name another"
    [[ -d $path && ! -f $path/meson-private/meson.lock ]] || return 0
    entry=$(find "$path" -mindepth 1 -maxdepth 1 ! -name 'setup-*.log' -printf '%f\n' -quit)
    [[ -z $entry ]] ||
        fail "WEIR_BUILD_DIR: $path holds \"$entry\" and is not a build folder: name one that is empty or not there"
}

weir_options() {
    local cuda=disabled tests=true path=${PKG_CONFIG_PATH-} # not set where StarPU is the system's
    [[ -z $CUDA_DIR ]] || cuda=enabled
    [[ $WITH_TESTS == yes ]] || tests=false
    # Given as an option because meson reads the environment's PKG_CONFIG_PATH only the first time.
    printf '%s\n' "-Dcuda=$cuda" "-Dtests=$tests" "-Dpkg_config_path=${path//:/,}"
}

# Configures anew where the build folder is broken, was made for another checkout, or was made with other options
# of the user's or another compiler, which meson would go on remembering; reconfigures where only ours differ.
configure_weir() {
    local options
    # shellcheck disable=SC2206 # options are words
    options=(${WEIR_MESON_OPTIONS-})
    mapfile -t -O "${#options[@]}" options < <(weir_options)
    if [[ -f $BUILD/build.ninja && -f $BUILD/meson-private/coredata.dat ]] &&
        grep -qF "\"$ROOT\"" "$BUILD/meson-info/meson-info.json" &&
        { [[ ! -f $BUILD/setup-user ]] || [[ $(<"$BUILD/setup-user") == "$1" ]]; }; then
        "$MESON" setup --reconfigure "${options[@]}" "$BUILD" "$ROOT" && return
        ! grep -q 'meson.build:[0-9:]* ERROR' "$BUILD/setup-configure.log" || return 1 # the same error would come back
        echo "---- that failed: starting from an empty build folder ----"
    fi
    find "$BUILD" -mindepth 1 -maxdepth 1 ! -name 'setup-*.log' -exec rm -rf {} +
    "$MESON" setup "${options[@]}" "$BUILD" "$ROOT"
}

compile_weir() {
    ninja -C "$BUILD" -j "$JOBS" "$@" && return
    rm -f "$BUILD/setup-ours" # in case it was meson's own state that failed: look at it again next time
    return 1
}

# build_weir [TARGET...]
build_weir() {
    local user ours
    # The tests' Python is the distribution's: so is meson's own, and no other that happens to be first on PATH.
    MESON=/usr/bin/meson
    [[ -x $MESON ]] || MESON=$(command -v meson)
    user="${WEIR_MESON_OPTIONS-} ${CC-} ${CFLAGS-} ${LDFLAGS-}"
    ours="$ROOT $(weir_options)"
    if [[ ! -f $BUILD/build.ninja || ! -f $BUILD/setup-ours || $(<"$BUILD/setup-ours") != "$ours" ||
        $(<"$BUILD/setup-user") != "$user" ]]; then
        rm -f "$BUILD/setup-ours"
        stage "configuring Weir${CUDA_DIR:+ with CUDA}" "$BUILD/setup-configure.log" configure_weir "$user"
        printf '%s\n' "$user" >"$BUILD/setup-user"
        printf '%s\n' "$ours" >"$BUILD/setup-ours"
    fi
    if [[ $(ninja -C "$BUILD" -n "$@" 2>&1) != *"no work to do"* ]]; then
        stage "compiling Weir" "$BUILD/setup-compile.log" compile_weir "$@"
    fi
}

# Runs meson's tests and turns its summary into one line, the last of stdout. Limits of time are for tests that hang: a busy
# machine is given four times as long.
test_weir() {
    local logs=("$BUILD"/meson-logs/testlog*.txt) log status=0 # --setup NAME has a log of its own
    rm -f "${logs[@]}"
    "$MESON" test -C "$BUILD" --print-errorlogs --timeout-multiplier 4 "$@" || status=$?
    logs=("$BUILD"/meson-logs/testlog*.txt)
    log=${logs[0]}
    if [[ ! -f $log ]]; then # no test was run: a wrong option, or none that fits
        ((status == 0)) || return "$status"
        log=/dev/null
    fi
    awk -F ':' '
        /^(Ok|Expected Fail):/ { passed += $2 }
        /^(Fail|Unexpected Pass|Timeout):/ { failed += $2 }
        /^Skipped:/ { skipped += $2 }
        END { printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : "" }' "$log"
    return "$status"
}

# ---- what was asked for -------------------------------------------------------------------------------------

main() {
    local arguments=() command
    while (($# > 0)); do
        case $1 in
            --cpu-only) CPU_ONLY=yes ;;
            --no-tests) WITH_TESTS=no ;;
            --no-packages) INSTALL=no ;;
            --starpu)
                (($# > 1)) || fail "--starpu: name a tarball of StarPU 1.4"
                STARPU_SOURCE=$2
                shift
                ;;
            --starpu=*) STARPU_SOURCE=${1#*=} ;;
            *) arguments+=("$1") ;;
        esac
        shift
    done
    set -- ${arguments[@]+"${arguments[@]}"}
    command=${1-build}
    case $command in
        -h | --help) usage && exit ;;
        -*) usage >&2 && exit 2 ;;
    esac
    (($# == 0)) || shift
    [[ $command != starpu ]] || FOR_PACKAGE=yes
    [[ $WITH_TESTS == yes || $command != test ]] || fail "--no-tests: there are no tests to run then"
    if [[ -n $STARPU_SOURCE ]]; then
        [[ -f $STARPU_SOURCE && -r $STARPU_SOURCE ]] ||
            fail "--starpu: $STARPU_SOURCE is no file that can be read: name a tarball of StarPU 1.4"
        STARPU_SOURCE=$(realpath -- "$STARPU_SOURCE")
    fi

    # shellcheck source=/dev/null
    . /etc/os-release
    OS_ID=${ID-unknown} OS_VERSION_ID=${VERSION_ID-} OS_CODENAME=${VERSION_CODENAME-}
    check_build_folder
    find_cuda
    ensure_tools "$command"
    ensure_starpu
    case $command in
        build) build_weir program ;; # and its kernels; tests are built when they are run
        starpu) pkg-config --variable=pcfiledir starpu-1.4 ;;
        test)
            build_weir program
            test_weir "$@" # of the tests' programs, meson compiles those that are run
            ;;
        *)
            build_weir "$PROGRAM"
            exec "$BUILD/$PROGRAM" "$command" "$@"
            ;;
    esac
}

# Tests read this file to call single functions.
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
