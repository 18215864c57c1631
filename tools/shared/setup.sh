# Sourced by the tools: the checkout and what is built, finding Swift, installing system libraries, building.
# Messages go to standard error, so that a command's output stays clean.

# A tool's opening comment is its help; bridgecast has its own.
case "${0##*/} ${1:-}" in
    bridgecast\ *) ;;
    *\ -h | *\ --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit ;;
esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
needed_swift=6.2

say() { printf 'bridgecast: %s\n' "$*" >&2; }

# The compiler: from PATH, or where Swift's own installers put it. `toolchain` is then the folder that has its bin
# and lib.
find_swift() {
    local candidate version
    for candidate in "$(command -v swift || true)" /opt/swift/usr/bin/swift \
        /usr/libexec/swift/bin/swift "${HOME:-}/.local/share/swiftly/bin/swift"; do
        [ -n "$candidate" ] && [ -x "$candidate" ] || continue
        version=$("$candidate" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
        [ -n "$version" ] || continue
        if [ "$(printf '%s\n%s\n' "$needed_swift" "$version" | sort -V | head -n 1)" = "$needed_swift" ]; then
            PATH="$(dirname "$candidate"):$PATH"
            toolchain=$(dirname "$(dirname "$(readlink -f "$candidate")")")
            return 0
        fi
        say "found Swift $version at $candidate, but $needed_swift or newer is needed"
    done
    say "a Swift toolchain $needed_swift or newer is needed and was not found."
    say "Install it from https://www.swift.org/install/linux/ (swiftly does it in one command),"
    say "then run this again."
    exit 69
}

# The traits of the package to build with: those of BRIDGECAST_TRAITS, else those of the last build.
traits=${BRIDGECAST_TRAITS:-$(cat "$root/.build/traits" 2>/dev/null || echo default)}
builds_postgresql() { [[ ,$traits, == *,PostgreSQL,* ]]; }
# Whether what is built has these traits.
traits_are_built() { [ "$(cat "$root/.build/traits" 2>/dev/null || echo default)" = "$traits" ]; }

# The system libraries, by their Debian packages: all, or those of `bridgecast` and libbridgecast alone.
#   install_libraries [bridgecast]
install_libraries() {
    local missing=()
    if [ "${1:-}" != bridgecast ]; then
        # Only the service unpacks archives, asks servers and draws pictures.
        [ -e /usr/include/archive.h ] || [ -e /usr/local/include/archive.h ] || missing+=(libarchive-dev)
        [ -n "$(find /usr/include /usr/local/include -path '*/curl/curl.h' -print -quit 2>/dev/null)" ] \
            || missing+=(libcurl4-openssl-dev)
        [ -e /usr/include/mosquitto.h ] || [ -e /usr/local/include/mosquitto.h ] || missing+=(libmosquitto-dev)
        ! builds_postgresql || [ -e /usr/include/postgresql/libpq-fe.h ] || [ -e /usr/include/libpq-fe.h ] \
            || missing+=(libpq-dev)
        # CPicture declares its functions itself, so the library alone is needed.
        [ -n "$(find /usr/lib /usr/lib64 /usr/local/lib -name librsvg-2.so -print -quit 2>/dev/null)" ] \
            || missing+=(librsvg2-dev)
    fi
    [ -e /usr/include/sqlite3.h ] || missing+=(libsqlite3-dev)
    [ -e /usr/include/nettle/sha2.h ] || [ -e /usr/local/include/nettle/sha2.h ] || missing+=(nettle-dev)
    [ -e /usr/include/zlib.h ] || [ -e /usr/local/include/zlib.h ] || missing+=(zlib1g-dev)
    # cblas.h alone may belong to another BLAS: the library itself has to be there too.
    [ -n "$(find /usr/include /usr/local/include -name cblas.h -print -quit 2>/dev/null)" ] \
        && [ -n "$(find /usr/lib /usr/lib64 /usr/local/lib -name libopenblas.so -print -quit 2>/dev/null)" ] \
        || missing+=(libopenblas-dev)
    [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

# What is missing, by its Debian packages.
install_packages() {
    local sudo=()
    command -v apt-get >/dev/null || { say "missing, by their Debian names: $*; please install them"; exit 69; }
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { say "please run as root: apt-get install $*"; exit 69; }
        sudo=(sudo)
    fi
    say "installing $* with apt-get"
    mkdir -p "$root/.build"
    # Checks run side by side, and apt-get only once at a time.
    (flock 7 && "${sudo[@]}" apt-get update -qq \
        && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@") \
        7>"$root/.build/apt.lock" >/dev/null || { say "apt-get could not install $*"; exit 69; }
}

# Installs the Debian packages of commands that are missing.   need_commands COMMAND=PACKAGE...
need_commands() {
    local pair missing=()
    for pair in "$@"; do command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}"); done
    [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

# The version of Bridgecast, from where it is written.
bridgecast_version() { sed -n 's/.*static let current = "\(.*\)"/\1/p' "$root/Sources/BridgecastSupport/BridgecastVersion.swift"; }

# The time that files of a release have, for the same bytes from the same commit: that of the last commit.
use_release_time() {
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)} ||
        { say "this is no git checkout: set SOURCE_DATE_EPOCH to the time of the release, in seconds"; exit 66; }
    export SOURCE_DATE_EPOCH
}

# Some environments make OpenBLAS choose slow kernels, for another CPU; that changes the last bits too.
use_kernels_of_this_cpu() { unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE; }

# One build for running and testing, with the flag that lets tests see what is not public; `bench` shows no
# difference to one without it.
release=$root/.build/release
swift_build() {
    local options=(--package-path "$root" -c release -Xswiftc -enable-testing)
    [ "$traits" = default ] || options+=(--traits "$traits")
    swift build "${options[@]}" "$@"
}

# Builds a product. The kernels come first: every module of ours waits for them, and the package manager compiles their
# many small files in between large modules of others, which takes minutes longer.
build_product() {
    [ -e "$release/Modules/BridgecastSupport.swiftmodule" ] || swift_build --target CBridgecastKernels || return
    swift_build "$@"
}

# Builds the program that has a command, if sources have changed.
build_for() { "$root/tools/bridgecast" help "$1" >/dev/null; }

# The test program, which may run in several processes at once: `swift test` would wait for the others.
test_program=("$release/bridgecastPackageTests.xctest" --testing-library swift-testing)

# Ends with 66 where nothing is built yet.
require_build() { [ -x "${test_program[0]}" ] || { say "nothing is built: run tools/test first"; exit 66; }; }

# Fills module_flags with a compiler's options for the modules that are built.
find_modules() {
    local map
    module_flags=(-I "$release/Modules" -I "$root/Sources/COpenBLAS" -I "$root/Sources/CNettle" -I "$root/Sources/CZlib")
    for map in "$release"/*.build/module.modulemap; do module_flags+=(-Xcc "-fmodule-map-file=$map"); done
}

# Compiles a program of another package against the modules that are built: it sees what is public, no more.
#   compile_outside MODULE PROGRAM FILE...  (also swiftc's options)
compile_outside() {
    local module=$1 program=$2 objects
    shift 2
    require_build
    mkdir -p "$(dirname "$program")"
    find_modules
    # Those of the library for C are those of the library.
    mapfile -t objects < <(tr -d "'" <"$release/BridgecastABI.product/Objects.LinkFileList")
    swiftc -O -swift-version 6 -module-name "$module" -package-name outside "$@" -o "$program" \
        "${module_flags[@]}" "${objects[@]}" -lopenblas -lnettle -lm
}

stamp() { echo "$root/.build/$1.stamp"; }

# Builds (--product PRODUCT), and shows progress: on one line of a terminal, else every ten seconds. The compiler's output is in
# .build/build.log; where it fails, its errors are shown. A second build waits for the first. The stamp of a
# program has the time at which its last build began: later edits are not in it.
build() {
    local log=$root/.build/build.log began=$root/.build/began status=0 name
    mkdir -p "$root/.build"
    exec 9>"$root/.build/bridgecast.lock"
    flock -n 9 || { say "another build is running; waiting for it"; flock 9; }
    touch "$began"
    traits_are_built || rm -f "$(stamp bridgecast)" "$(stamp bridgecast-server)"
    echo "$traits" >"$root/.build/traits"
    build_product "$@" 9>&- 2>&1 | tee "$log" | show_progress "$2" || status=${PIPESTATUS[0]}
    if [ "$status" -eq 0 ]; then
        for name in bridgecast bridgecast-server; do
            case " $* " in *" --product $name "*) touch -r "$began" "$(stamp "$name")" ;; esac
        done
    fi
    exec 9>&-
    [ "$status" -ne 0 ] || return 0
    grep -A 4 -E '(^|: )(error|fatal error):' "$log" >&2 || tail -n 20 "$log" >&2
    say "the build failed; the compiler's output is in $log"
    return "$status"
}

# Builds all that tests run. `--build-tests` would also build the programs of other packages: protoc, in
# C++ and twice, and their benchmarks.
build_everything() {
    local product
    for product in bridgecastPackageTests bridgecast bridgecast-server BridgecastABI; do build --product "$product" || return; done
}

# Shows how far a build is. Its profile (tools/shared/build_profile) has modules of a product in the order in which
# their compilation begins, with the seconds until the next begins. What is there already is not waited for; this
# machine's speed is that of the modules that are done.
#   show_progress PRODUCT
show_progress() {
    local line='' shown=$SECONDS begun=$SECONDS spent at=0 passed=0 whole=0 step=0 code pause=10 module seconds product
    local -A steps=() behind=()
    while read -r product module seconds; do
        [ "$product" = "$1" ] && ! is_built "$module" || continue
        # The seconds before this module begins, and its own.
        behind[$module]=$whole steps[$module]=$seconds
        whole=$((whole + seconds))
    done <"$root/tools/shared/build_profile"
    [ ! -t 2 ] || pause=1
    while :; do
        code=0
        # Waits no longer than it is silent: a module may be compiled for a minute.
        IFS= read -r -t 5 line || code=$?
        [ $code -eq 0 ] || [ $code -gt 128 ] || break
        if [ $code -eq 0 ] && [[ $line == *"Another instance of SwiftPM"* ]]; then say "$line"; fi
        if [ $code -eq 0 ] && [[ $line =~ ^\[[0-9]+/[0-9]+\]\ Compiling\ ([A-Za-z]+)\  ]]; then
            module=${BASH_REMATCH[1]}
            if [ "${behind[$module]:-0}" -gt "$passed" ]; then
                passed=${behind[$module]} step=${steps[$module]} at=$((SECONDS - begun))
            fi
        fi
        spent=$((SECONDS - begun))
        [ $((SECONDS - shown)) -ge "$pause" ] || continue
        shown=$SECONDS
        progress_line "$(progress_text "$spent" "$at" "$passed" "$step" "$whole")"
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# Whether a module is there, or the packages that are fetched before the first.
is_built() { [ -e "$release/Modules/$1.swiftmodule" ] || { [ "$1" = fetch ] && [ -e "$root/.build/checkouts" ]; }; }

# After so many seconds, the modules before the current one were done after AT; in the profile they took PASSED, it takes
# STEP, and all take WHOLE. Until a tenth is done, the speed of this machine is not known.
#   progress_text SPENT AT PASSED STEP WHOLE
progress_text() {
    local spent=$1 at=$2 passed=$3 step=$4 whole=$5 left rest
    if [ "$whole" -eq 0 ] || [ $((10 * passed)) -lt "$whole" ]; then
        echo "$spent s"
        return
    fi
    left=$((at * (whole - passed) / passed - (spent - at)))
    # It goes on with the current module for longer than in the profile: all others are still to come.
    rest=$((at * (whole - passed - step) / passed))
    [ "$left" -gt "$rest" ] || left=$rest
    echo "$((100 * spent / (spent + left + 1))) %, $spent s, about $left s to go"
}

progress_line() {
    if [ -t 2 ]; then printf '\r\033[Kbridgecast: building: %s' "$1" >&2; else say "building: $1"; fi
}
