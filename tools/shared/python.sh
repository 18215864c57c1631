# Sourced after setup.sh by tools that need Python packages: sets `python` to one that has them. They are installed
# in .build/python, not in the system.

python=$root/.build/python/bin/python
packages=(onnxruntime==1.31.1 onnx==1.23.2 numpy matplotlib)
if [ ! -f "$root/.build/python/complete" ]; then
    say "installing ${packages[*]} into .build/python"
    if ! python3 -m venv "$root/.build/python" >&2; then
        say "Python 3 with its venv module is needed; on Debian: apt-get install python3-venv"
        exit 69
    fi
    "$python" -m pip install --quiet --disable-pip-version-check "${packages[@]}" >&2
    touch "$root/.build/python/complete"
fi

# A package that only one tool needs.
#   need_package MODULE REQUIREMENT
need_package() {
    "$python" -c "import $1" 2>/dev/null && return 0
    say "installing $2 into .build/python"
    "$python" -m pip install --quiet --disable-pip-version-check "$2" >&2
}
