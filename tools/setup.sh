# Sourced by tools/bridgecast and tools/test: finds Swift, installs the system libraries.
# Speaks on standard error only, so that a command's output stays clean.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
needed_swift=6.2

say() { printf 'bridgecast: %s\n' "$*" >&2; }

# The compiler: from PATH, or where Swift's own installers put it.
find_swift() {
    local candidate version
    for candidate in "$(command -v swift || true)" /opt/swift/usr/bin/swift \
        /usr/libexec/swift/bin/swift "$HOME/.local/share/swiftly/bin/swift"; do
        [ -n "$candidate" ] && [ -x "$candidate" ] || continue
        version=$("$candidate" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
        [ -n "$version" ] || continue
        if [ "$(printf '%s\n%s\n' "$needed_swift" "$version" | sort -V | head -n 1)" = "$needed_swift" ]; then
            PATH="$(dirname "$candidate"):$PATH"
            return 0
        fi
        say "found Swift $version at $candidate, but $needed_swift or newer is needed"
    done
    say "a Swift toolchain $needed_swift or newer is needed and was not found."
    say "Install it from https://www.swift.org/install/linux/ (swiftly does it in one command),"
    say "then run this again."
    exit 69
}

# The system libraries, by their Debian packages.
install_libraries() {
    local missing=() sudo=()
    [ -e /usr/include/sqlite3.h ] || missing+=(libsqlite3-dev)
    # cblas.h alone may belong to another BLAS: the library itself has to be there too.
    [ -n "$(find /usr/include /usr/local/include -name cblas.h -print -quit 2>/dev/null)" ] \
        && [ -n "$(find /usr/lib /usr/lib64 /usr/local/lib -name libopenblas.so -print -quit 2>/dev/null)" ] \
        || missing+=(libopenblas-dev)
    [ ${#missing[@]} -eq 0 ] && return 0
    if ! command -v apt-get >/dev/null; then
        say "these libraries are missing, by their Debian names: ${missing[*]}; please install them"
        exit 69
    fi
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { say "please run as root: apt-get install ${missing[*]}"; exit 69; }
        sudo=(sudo)
    fi
    say "installing ${missing[*]} with apt-get"
    { "${sudo[@]}" apt-get update -qq \
        && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}"; } \
        >/dev/null || { say "apt-get could not install ${missing[*]}"; exit 69; }
}
