// What routes are judged by: each criterion's name, words, unit and value. A new one is a case and its rows here.

/// What a route is judged by; less is better in every one.
public enum RouteCriterion: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    /// Expected travel time.
    case expectedMinutes = "expected_minutes"
    /// Travel time not exceeded in half of all cases.
    case p50Minutes = "p50_minutes"
    /// Travel time not exceeded eight times in ten.
    case p80Minutes = "p80_minutes"
    /// Travel time not exceeded nine times in ten.
    case p90Minutes = "p90_minutes"
    /// Travel time not exceeded 19 times in 20.
    case p95Minutes = "p95_minutes"
    /// Probability of arriving after the wanted time; 0 where none is wanted.
    case probabilityLate = "probability_late"
    /// Probability of being stopped at any bridge.
    case probabilityStopped = "probability_stopped"
    /// Openings a day, by history, of all bridges on the route.
    case openingsPerDay = "openings_per_day"
    /// Expected minutes of standing at bridges, which is idling for a car.
    case idleMinutes = "idle_minutes"

    /// All of them, without an array being made for it.
    package static let ordered = Array(allCases)

    /// What a criterion is measured in.
    public enum Unit: String, Sendable, Codable {
        /// Minutes.
        case minutes
        /// A probability, 0...1.
        case probability
        /// A number of times a day.
        case perDay = "per_day"
    }

    /// A short name, as options take it; the raw value is the one in documents.
    public var name: String { words.name }
    /// What to call it before a person.
    public var label: String { words.label }
    /// What it is measured in.
    public var unit: Unit { words.unit }

    private var words: (name: String, label: String, unit: Unit) {
        switch self {
        case .expectedMinutes: ("expected", "expected time", .minutes)
        case .p50Minutes: ("p50", "P50", .minutes)
        case .p80Minutes: ("p80", "P80", .minutes)
        case .p90Minutes: ("p90", "P90", .minutes)
        case .p95Minutes: ("p95", "P95", .minutes)
        case .probabilityLate: ("late", "being late", .probability)
        case .probabilityStopped: ("stopped", "being stopped", .probability)
        case .openingsPerDay: ("openings", "openings", .perDay)
        case .idleMinutes: ("idle", "idling", .minutes)
        }
    }

    /// Its value on a route, in its ``unit``.
    @inlinable
    public func value(of figures: RouteFigures) -> Double {
        switch self {
        case .expectedMinutes: figures.expectedMinutes
        case .p50Minutes: figures.p50Minutes
        case .p80Minutes: figures.p80Minutes
        case .p90Minutes: figures.p90Minutes
        case .p95Minutes: figures.p95Minutes
        case .probabilityLate: figures.probabilityOnTime.map { 1 - $0 } ?? 0
        case .probabilityStopped: figures.probabilityStopped
        case .openingsPerDay: figures.openingsPerDay
        case .idleMinutes: figures.expectedDelayMinutes
        }
    }
}
