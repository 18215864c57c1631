# Sourced by tools/release: makes the tree that the tarball and the Debian package have in common. A program in it finds
# its files from where it lies, so the tree works in any folder.
#
#   bin/       what users start; it starts the program of the same name in libexec
#   libexec/   the programs, and the page
#   lib/       Swift's runtime
#   models/, training-data/, share/   what ships; man pages, completions, licences

# The libraries of the toolchain that the programs need, by their paths.
runtime_libraries() {
    ldd "$release/bridgecast" "$release/bridgecast-server" |
        awk -v toolchain="$toolchain" '$2 == "=>" && index($3, toolchain) == 1 { print $3 }' | sort -u
}

# Programs without symbols that find Swift's runtime in lib, and that alone.   add_programs TREE
add_programs() {
    local name library
    install -d "$1/bin" "$1/libexec" "$1/lib"
    for name in bridgecast bridgecast-server; do
        install -m 755 "$release/$name" "$1/libexec/$name"
        strip "$1/libexec/$name"
        patchelf --set-rpath "\$ORIGIN/../lib" "$1/libexec/$name"
        install -m 755 "$root/tools/packaging/launcher" "$1/bin/$name"
    done
    while IFS= read -r library; do
        install -m 644 "$library" "$1/lib/"
        strip --strip-unneeded "$1/lib/${library##*/}"
        patchelf --set-rpath "\$ORIGIN" "$1/lib/${library##*/}"
    done < <(runtime_libraries)
}

# The page of the sources with its libraries, as `serve` would show it from the checkout.   add_page TREE
add_page() {
    local resources=bridgecast_BridgecastService.resources
    install -d "$1/libexec/$resources"
    cp -r "$root/Sources/BridgecastService/Resources/." "$1/libexec/$resources/"
    rm -f "$1/libexec/$resources/page/vendor/.installed"
    local file
    for file in preact.js bundle.js bundle.css; do
        [ -f "$1/libexec/$resources/page/vendor/$file" ] || { say "the page lacks $file: run tools/install_page"; return 69; }
    done
}

# What git tracks of models and records, so that a file which lies around is not shipped.   add_data TREE
add_data() {
    local path
    while IFS= read -r path; do install -D -m 644 "$root/$path" "$1/$path"; done \
        < <(git -C "$root" ls-files models training-data)
}

# man pages and completions, from the programs themselves.   add_documentation TREE
add_documentation() {
    local share=$1/share server=$release/bridgecast-server
    install -d "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/vendor-completions" \
        "$share/fish/vendor_completions.d" "$share/doc/bridgecast/licences"
    "$server" --experimental-dump-help | python3 "$root/tools/packaging/manual_pages.py" "$share/man/man1"
    find "$share/man" -name '*.1' -exec gzip -9n {} +
    # The other program has the same commands.
    ln -s bridgecast.1.gz "$share/man/man1/bridgecast-server.1.gz"
    # Without its first line: the file is read by a shell, not run.
    "$server" --generate-completion-script bash | sed '1{/^#!/d}' >"$share/bash-completion/completions/bridgecast"
    "$server" --generate-completion-script zsh >"$share/zsh/vendor-completions/_bridgecast"
    "$server" --generate-completion-script fish >"$share/fish/vendor_completions.d/bridgecast.fish"
    install -m 644 "$root/README.md" "$root/LICENSE" "$share/doc/bridgecast/"
    install -m 644 "$root/CHANGELOG.md" "$share/doc/bridgecast/"
    add_licences "$share/doc/bridgecast/licences"
}

# Licences and notices of what is linked into the programs.   add_licences FOLDER
add_licences() {
    local package file
    install -m 644 "$toolchain/share/swift/LICENSE.txt" "$1/swift-runtime.LICENSE.txt"
    for package in "$root"/.build/checkouts/*/; do
        for file in "$package"LICENSE* "$package"NOTICE*; do
            [ -f "$file" ] || continue
            install -m 644 "$file" "$1/$(basename "$package").$(basename "${file%.txt}").txt"
        done
    done
    install -m 644 "$root/Sources/BridgecastService/Resources/page/vendor/LICENSES.txt" "$1/page.LICENSES.txt"
}

# make_tree TREE
make_tree() {
    add_programs "$1"
    add_page "$1"
    add_data "$1"
    add_documentation "$1"
    # For a system service; the Debian package has these in places of their own.
    install -D -m 644 -t "$1/share/bridgecast" "$root/tools/service/serve.json" "$root/tools/service/"bridgecast*.{service,timer}
    chmod -R u=rwX,go=rX "$1"
}
