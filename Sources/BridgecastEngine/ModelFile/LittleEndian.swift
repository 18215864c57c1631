// Integers as the bytes of a model file, least byte first; for its reader and its writer.

/// An unsigned integer from its little-endian bytes.
package func littleEndian<T: FixedWidthInteger & UnsignedInteger>(
    _ bytes: ArraySlice<UInt8>, as type: T.Type
) -> T {
    bytes.reversed().reduce(0) { $0 << 8 | T($1) }
}

/// The little-endian bytes of an unsigned integer.
package func littleEndianBytes(of value: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
