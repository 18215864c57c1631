// A natural logarithm that a compiler can interleave with others. DelayPrior takes twelve for a row; a call for each
// would be a third of the row's time.

/// ln x, to about 2 units in the last place.
///
/// With x = 2^e m, m in [sqrt(1/2), sqrt(2)) and s = (m - 1) / (m + 1): ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...), of
/// which five terms leave less than 1e-8 of it.
///
/// - Precondition: `x` is finite, positive and not subnormal.
@inline(__always)
func logarithm(_ x: Float) -> Float {
    // Bits of sqrt(1/2), so that what is left of an exponent is that of the nearest power of two.
    let root: UInt32 = 0x3f35_04f3
    let shifted = x.bitPattern &- root
    let power = Float(Int32(bitPattern: shifted) >> 23)
    let m = Float(bitPattern: (shifted & ((1 << 23) - 1)) &+ root)
    let s = (m - 1) / (m + 1)
    let z = s * s
    let series = z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9))))
    // ln 2 in two parts, of which the first times a power is exact.
    return power * 0x1.62e4p-1 + ((s + s) + ((s + s) * series + power * 0x1.7f7d1cp-20))
}
