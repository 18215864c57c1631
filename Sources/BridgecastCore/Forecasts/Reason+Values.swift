// What a reason says as values with names, from which every surface makes its words.

extension Reason {
    /// A value of a reason, in its own type.
    public enum Value: Sendable, Hashable {
        /// A bridge.
        case bridge(BridgeIndex)
        /// Whole minutes.
        case minutes(Int)
        /// Whole hours.
        case hours(Int)
        /// How many there were.
        case count(Int)
        /// A probability, 0...1.
        case probability(Double)
        /// A moment, said as a time of day.
        case time(Timestamp)
    }

    /// A value with its name, in snake_case.
    public struct Field: Sendable, Hashable {
        /// What it is called, such as `minutes_ago`.
        public let name: String
        /// What it is.
        public let value: Value

        fileprivate init(_ name: String, _ value: Value) {
            (self.name, self.value) = (name, value)
        }
    }

    /// The bridge whose forecast has this reason.
    public var bridge: BridgeIndex {
        switch self {
        case .raised(let bridge), .raisedFor(let bridge, _), .raisedLong(let bridge, _, _),
            .loweredRecently(let bridge, _), .convoyInOrder(let bridge, _, _),
            .neighbourOften(let bridge, _, _, _), .longOpenings(let bridge, _, _),
            .busyDay(let bridge, _, _), .quietDay(let bridge, _, _),
            .closedWindow(let bridge, _), .windowEnded(let bridge, _), .halfHourOnly(let bridge),
            .downNow(let bridge, _), .downLately(let bridge, _), .downLong(let bridge, _),
            .overUsual(let bridge, _), .underUsual(let bridge, _), .usual(let bridge, _),
            .stateUnknown(let bridge, _):
            bridge
        case .convoy(let convoy): convoy.bridge
        }
    }

    /// Its values, ``bridge`` first; the same names in the same order for every reason of a code.
    public var values: [Field] {
        let own = Field("bridge", .bridge(bridge))
        switch self {
        case .raised, .halfHourOnly: return [own]
        case .raisedFor(_, let minutes): return [own, Field("minutes", .minutes(minutes))]
        case .raisedLong(_, let minutes, let share):
            return [
                own, Field("minutes", .minutes(minutes)),
                Field("shorter_share", .probability(share)),
            ]
        case .loweredRecently(_, let ago), .downLately(_, let ago):
            return [own, Field("minutes_ago", .minutes(ago))]
        case .convoy(let convoy):
            return [
                own, Field("neighbour", .bridge(convoy.neighbour)),
                Field("minutes_ago", .minutes(convoy.minutesAgo)),
                Field("least_minutes", .minutes(convoy.leastMinutes)),
                Field("most_minutes", .minutes(convoy.mostMinutes)),
            ]
        case .convoyInOrder(_, let beyond, let ago):
            return [
                own, Field("neighbour", .bridge(beyond)), Field("minutes_ago", .minutes(ago)),
            ]
        case .neighbourOften(_, let neighbour, let openings, let minutes):
            return [
                own, Field("neighbour", .bridge(neighbour)), Field("openings", .count(openings)),
                Field("minutes", .minutes(minutes)),
            ]
        case .longOpenings(_, let last, let usual):
            return [
                own, Field("last_minutes", .minutes(last)),
                Field("usual_minutes", .minutes(usual)),
            ]
        case .busyDay(_, let openings, let usual), .quietDay(_, let openings, let usual):
            return [
                own, Field("openings", .count(openings)), Field("usual_openings", .count(usual)),
            ]
        case .closedWindow(_, let end): return [own, Field("until", .time(end))]
        case .windowEnded(_, let end): return [own, Field("from", .time(end))]
        case .downLong(_, let hours): return [own, Field("hours", .hours(hours))]
        case .downNow(_, let probability), .overUsual(_, let probability),
            .underUsual(_, let probability), .usual(_, let probability),
            .stateUnknown(_, let probability):
            return [own, Field("probability", .probability(probability))]
        }
    }
}
