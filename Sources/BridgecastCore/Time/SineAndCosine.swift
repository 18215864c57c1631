// Sines and cosines of eight angles at once, which the tide of every moment asks for: a call for each would be a third
// of the moment's time.

/// The sine and the cosine of angles, to about 1e-11.
///
/// With t half of what the angle leaves of whole turns, in -pi / 2 ... pi / 2, both are found by Taylor's series for t,
/// then by sin 2t = 2 sin t cos t and cos 2t = 1 - 2 sin^2 t.
///
/// - Parameter degrees: Below 1e12 in magnitude.
func sineAndCosine(
    ofDegrees degrees: SIMD8<Double>
) -> (sine: SIMD8<Double>, cosine: SIMD8<Double>) {
    let turns = degrees * (1.0 / 360)
    // Adding and subtracting this rounds to whole numbers.
    let whole = (turns + 0x1.8p52) - 0x1.8p52
    let t = (turns - whole) * Double.pi
    let z = t * t
    // One statement a step: of the whole polynomial the compiler would not find the types.
    var sine: SIMD8<Double> = z * (1 / 355_687_428_096_000) - 1 / 1_307_674_368_000
    for coefficient in [
        1.0 / 6_227_020_800, -1.0 / 39_916_800, 1.0 / 362_880, -1.0 / 5_040, 1.0 / 120, -1.0 / 6, 1,
    ] {
        sine = sine * z + coefficient
    }
    sine *= t
    var cosine: SIMD8<Double> = z * (1 / 20_922_789_888_000) - 1 / 87_178_291_200
    for coefficient in [
        1.0 / 479_001_600, -1.0 / 3_628_800, 1.0 / 40_320, -1.0 / 720, 1.0 / 24, -1.0 / 2, 1,
    ] {
        cosine = cosine * z + coefficient
    }
    return (2 * (sine * cosine), 1 - 2 * (sine * sine))
}
