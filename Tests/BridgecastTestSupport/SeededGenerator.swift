// Numbers that are the same in every run, for tests that mutate bytes.

/// A linear congruential generator: mutations must be the same on every machine.
package struct SeededGenerator: RandomNumberGenerator {
    package var state: UInt64

    package mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }

    /// Creates a generator; the same state gives the same numbers.
    package init(state: UInt64) { self.state = state }
}
