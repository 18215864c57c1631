// The shipped records with faults put into them; for the tests of their review.
import BridgecastCore
import BridgecastTestSupport

/// Ways to spoil the shipped records; their coverage stays, unless a name says otherwise.
struct FaultyRecords {
    private(set) var openings = Fixtures.shippedHistory.openings
    private(set) var coverage = Fixtures.shippedHistory.coverage

    var history: OpeningHistory {
        OpeningHistory(records: openings.flatMap(\.self), coverage: coverage)
    }

    /// Takes openings away.
    mutating func drop(_ period: Range<Timestamp>, of bridges: [BridgeIndex] = BridgeIndex.all) {
        for bridge in bridges {
            openings[bridge.rawValue].removeAll { period.contains($0.start) }
        }
    }

    /// Gives all openings one length.
    mutating func setLength(_ minutes: Double, in period: Range<Timestamp>) {
        change(period) {
            Opening(bridge: $0.bridge, start: $0.start, end: $0.start.adding(minutes: minutes))
        }
    }

    /// Sets the clock.
    mutating func shift(
        _ period: Range<Timestamp>, minutes: Double, of bridges: [BridgeIndex] = BridgeIndex.all
    ) {
        change(period, of: bridges) { Self.moved($0, minutes) }
    }

    /// Reads the wall clock as if it showed UTC.
    mutating func showUTC() {
        change(Timestamp.earliest..<Timestamp.latest) {
            Self.moved($0, Double(-SeattleTime.utcOffsetSeconds(at: $0.start)) / 60)
        }
    }

    /// Puts every opening in once more for each of some minutes, so much later.
    mutating func putInAgain(after minutes: [Double], of bridges: [BridgeIndex] = BridgeIndex.all) {
        for bridge in bridges {
            let own = openings[bridge.rawValue]
            openings[bridge.rawValue] += minutes.flatMap { later in
                own.map { Self.moved($0, later) }
            }
        }
    }

    /// Leaves the first openings of a bridge, and its coverage up to them.
    mutating func keepFirst(_ count: Int, of bridge: BridgeIndex) {
        let list = openings[bridge.rawValue]
        guard count < list.count else { return }
        let end = list[count].start
        openings[bridge.rawValue] = Array(list.prefix(count))
        coverage = coverage.subtracting([end..<Timestamp.latest], of: bridge)
    }

    /// Leaves nothing but a bridge.
    mutating func keep(_ bridge: BridgeIndex) {
        for other in BridgeIndex.all where other != bridge { openings[other.rawValue] = [] }
        coverage = Coverage(
            periods: BridgeIndex.all.map { $0 == bridge ? coverage.periods[$0.rawValue] : [] })
    }

    /// Leaves nothing but a period.
    mutating func keep(_ period: Range<Timestamp>) {
        openings = openings.map { $0.filter { period.contains($0.start) } }
        coverage = coverage.clamped(to: period)
    }

    /// Puts the openings of a period in once more, `days` later at the same time of the day.
    mutating func copy(_ period: Range<Timestamp>, days: Int) {
        for bridge in BridgeIndex.all {
            let copied = openings[bridge.rawValue].filter { period.contains($0.start) }
            openings[bridge.rawValue] += copied.map { opening in
                let midnight = SeattleTime.startOfDay(SeattleTime.civil(at: opening.start).date)
                return Self.moved(opening, Self.later(midnight, days).minutes(since: midnight))
            }
        }
    }

    /// The midnight `days` after one.
    static func later(_ midnight: Timestamp, _ days: Int) -> Timestamp {
        let day = SeattleTime.civil(at: midnight).date.dayNumber
        return SeattleTime.startOfDay(CivilDate(dayNumber: day + days))
    }

    /// Leaves a bridge a few of its openings, spread over all its records.
    mutating func thin(_ bridge: BridgeIndex, to count: Int) {
        let list = openings[bridge.rawValue]
        openings[bridge.rawValue] = (0..<count).map { list[$0 * list.count / count] }
    }

    private mutating func change(
        _ period: Range<Timestamp>, of bridges: [BridgeIndex] = BridgeIndex.all,
        _ body: (Opening) -> Opening
    ) {
        for bridge in bridges {
            openings[bridge.rawValue] = openings[bridge.rawValue].map {
                period.contains($0.start) ? body($0) : $0
            }
        }
    }

    private static func moved(_ opening: Opening, _ minutes: Double) -> Opening {
        Opening(
            bridge: opening.bridge, start: opening.start.adding(minutes: minutes),
            end: opening.end?.adding(minutes: minutes))
    }
}
