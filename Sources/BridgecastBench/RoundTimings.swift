// Times of the calls of one round.

/// Timings of one round, nanoseconds a call.
struct RoundTimings {
    /// Calls timed one by one, in no order.
    var single: [UInt64]
    /// Mean of calls in a loop without reading the clock between them.
    var looped: Double
}
