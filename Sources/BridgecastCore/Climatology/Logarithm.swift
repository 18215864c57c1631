// A natural logarithm that a compiler can interleave with others. DelayPrior takes twelve for a row; a call for each
// would be a third of the row's time.

/// ln x, to about 2 units in the last place.
///
/// With x = 2^e m, m in [sqrt(1/2), sqrt(2)) and s = (m - 1) / (m + 1): ln m = 2 (s + s^3 / 3 + s^5 / 5 + ...), of
/// which eleven terms leave less than 1e-17.
///
/// - Precondition: `x` is finite, positive and not subnormal.
@inline(__always)
func logarithm(_ x: Double) -> Double {
    // Bits of sqrt(1/2), so that what is left of an exponent is that of the nearest power of two.
    let root: UInt64 = 0x3fe6_a09e_667f_3bcd
    let shifted = x.bitPattern &- root
    let power = Double(Int64(bitPattern: shifted) >> 52)
    let m = Double(bitPattern: (shifted & ((1 << 52) - 1)) &+ root)
    let s = (m - 1) / (m + 1)
    let z = s * s
    // The even and the odd terms, so that half of them need not wait for the others.
    let w = z * z
    let odd = z * (1.0 / 3 + w * (1.0 / 7 + w * (1.0 / 11 + w * (1.0 / 15 + w * (1.0 / 19)))))
    let even = w * (1.0 / 5 + w * (1.0 / 9 + w * (1.0 / 13 + w * (1.0 / 17 + w * (1.0 / 21)))))
    // ln 2 in two parts, of which the first times a power is exact.
    return power * 0x1.62e42fefap-1
        + (2 * s + (2 * s * (odd + even) + power * 0x1.cf79abc9e3b3ap-40))
}
