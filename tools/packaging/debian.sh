# Sourced by tools/release: the Debian package, made of the tree and the files in tools/packaging/debian.

# The packages that the system libraries come from, as dpkg-shlibdeps finds them. Swift's runtime is in the package
# itself and in no other, which it is not to complain of.   dependencies STAGE
dependencies() {
    local place=$work/shlibdeps
    mkdir -p "$place/debian"
    printf 'Source: bridgecast\n\nPackage: bridgecast\nArchitecture: any\n' >"$place/debian/control"
    (cd "$place" && dpkg-shlibdeps -O --ignore-missing-info "-l$1/usr/lib/bridgecast/lib" \
        "$1"/usr/lib/bridgecast/libexec/bridgecast "$1"/usr/lib/bridgecast/libexec/bridgecast-server \
        "$1"/usr/lib/bridgecast/lib/*.so) 2>"$place/log" >"$place/found" || { cat "$place/log" >&2; return 70; }
    sed -n 's/^shlibs:Depends=//p' "$place/found"
}

# The tree in Debian's places: documentation in /usr/share, settings in /etc.   place_tree TREE STAGE
place_tree() {
    local stage=$2
    install -d "$stage/usr/lib" "$stage/usr/bin" "$stage/usr/share" "$stage/etc/bridgecast"
    cp -a "$1" "$stage/usr/lib/bridgecast"
    mv "$stage/usr/lib/bridgecast/share/"{man,bash-completion,zsh,fish,doc} "$stage/usr/share/"
    mv "$stage/usr/lib/bridgecast/share/bridgecast/serve.json" "$stage/etc/bridgecast/serve.json"
    ln -s ../lib/bridgecast/bin/bridgecast "$stage/usr/bin/bridgecast"
    ln -s ../lib/bridgecast/bin/bridgecast-server "$stage/usr/bin/bridgecast-server"
    install -d "$stage/lib/systemd/system"
    mv "$stage/usr/lib/bridgecast/share/bridgecast/"*.{service,timer} "$stage/lib/systemd/system/"
    rm -r "$stage/usr/lib/bridgecast/share" "$stage/usr/share/doc/bridgecast/LICENSE"
    add_changelog "$stage/usr/share/doc/bridgecast"
    install -D -m 644 "$debian/lintian-overrides" "$stage/usr/share/lintian/overrides/bridgecast"
    install -m 644 "$debian/copyright" "$stage/usr/share/doc/bridgecast/copyright"
}

# Debian's changelog has one entry, which says where the changes are.   add_changelog FOLDER
add_changelog() {
    local maintainer
    maintainer=$(sed -n 's/^Maintainer: //p' "$debian/control")
    printf 'bridgecast (%s) unstable; urgency=medium\n\n  * Version %s; CHANGELOG.md has what it changes.\n\n -- %s  %s\n' \
        "$version" "$version" "$maintainer" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$1/changelog.gz"
}

# What dpkg reads: dependencies, scripts, which files are settings, and digests.   add_control STAGE
add_control() {
    local stage=$1 script size depends
    # It looks for a package's libraries where it finds this folder.
    install -d "$stage/DEBIAN"
    depends=$(dependencies "$stage") || return
    [ -n "$depends" ] || { say "dpkg-shlibdeps found no package that the programs need"; return 70; }
    size=$(du -sk --apparent-size "$stage" | cut -f 1)
    sed -e "s|@version@|$version|; s|@architecture@|$architecture|; s|@size@|$size|; s|@depends@|$depends|" \
        "$debian/control" >"$stage/DEBIAN/control"
    echo /etc/bridgecast/serve.json >"$stage/DEBIAN/conffiles"
    for script in postinst prerm postrm; do install -m 755 "$debian/$script" "$stage/DEBIAN/$script"; done
    (cd "$stage" && find . -type f ! -path './DEBIAN/*' ! -path './etc/*' -printf '%P\0' | LC_ALL=C sort -z |
        xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
}

# make_debian_package TREE FILE
make_debian_package() {
    local stage=$work/debian debian=$root/tools/packaging/debian
    place_tree "$1" "$stage"
    add_control "$stage"
    chmod -R u=rwX,go=rX "$stage"
    find "$stage" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group "${debian_compression[@]}" --build "$stage" "$2" >/dev/null
}
