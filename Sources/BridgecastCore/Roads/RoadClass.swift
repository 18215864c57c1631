// A class of roads: who may use it, and how fast it is by the hour.

/// What kind of road an edge is: how fast it is, when, and for whom.
struct RoadClass: Sendable {
    let name: String
    /// Speed of cars in an empty street, signals included, metres a minute; nil where there are none.
    let carMetresPerMinute: Double?
    let bikeMetresPerMinute: Double?
    let walkMetresPerMinute: Double?
    /// Share of that speed at each full hour, by ``DayType`` raw value; linear between.
    let factors: [[Double]]
    /// The largest of them.
    let bestFactor: Double

    func allows(_ mode: Route.Mode) -> Bool { freeSpeed(mode) != nil }

    /// Metres a minute when nobody else is there.
    func freeSpeed(_ mode: Route.Mode) -> Double? {
        switch mode {
        case .car: carMetresPerMinute
        case .bike: bikeMetresPerMinute
        case .walk: walkMetresPerMinute
        }
    }

    /// Minutes for a length at the best of times.
    func leastMinutes(_ metres: Double, _ mode: Route.Mode) -> Double {
        guard let speed = freeSpeed(mode) else { return .infinity }
        return metres / (mode == .car ? speed * bestFactor : speed)
    }
}
