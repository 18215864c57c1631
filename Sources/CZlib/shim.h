// The one door to zlib: see Package.swift for who uses it.
#include <zlib.h>
