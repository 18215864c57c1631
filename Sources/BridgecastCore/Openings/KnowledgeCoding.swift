// The live and recorded states of the bridges as JSON: a host sends them from one process to another.

extension LiveSnapshot: Codable {
    private enum CodingKeys: CodingKey { case asOf, bridges }

    private struct Entry: Codable {
        let bridge: BridgeIndex
        let state: SpanState?
        let openings: [KnownOpening]
        let observedSince: Timestamp?
    }

    /// Reads what ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError`, also for what ``set(_:state:openings:observedSince:)`` refuses, and for a bridge that is
    ///   there twice.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(asOf: try container.decodeIfPresent(Timestamp.self, forKey: .asOf))
        var known: Set<BridgeIndex> = []
        for entry in try container.decode([Entry].self, forKey: .bridges) {
            try entry.bridge.requireFirst(in: &known, container, .bridges)
            do throws(LiveSnapshotError) {
                try set(
                    entry.bridge, state: entry.state, openings: entry.openings,
                    observedSince: entry.observedSince)
            } catch {
                throw DecodingError.dataCorruptedError(
                    forKey: .bridges, in: container, debugDescription: error.description)
            }
        }
    }

    /// Writes the snapshot, without the gaps in openings that were recorded in pieces: a live source has none.
    ///
    /// Members that contradict each other are written too, and are not read again.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(asOf, forKey: .asOf)
        let reported = Set(states.keys).union(observedSince.keys).union(openings.map(\.bridge))
        let entries = reported.sorted().map { bridge in
            Entry(
                bridge: bridge, state: states[bridge],
                openings: openings.filter { $0.bridge == bridge }
                    .map { KnownOpening(start: $0.start, end: $0.end) },
                observedSince: observedSince[bridge])
        }
        try container.encode(entries, forKey: .bridges)
    }
}

extension Situation: Codable {
    private enum CodingKeys: CodingKey { case issueTime, bridges }

    /// Reads what ``encode(to:)`` writes; of bridges that are not there nothing is known.
    ///
    /// - Throws: `DecodingError`, also for what could not be known at the issue time, and for a bridge that is there twice.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self = .unknown(at: try container.decode(Timestamp.self, forKey: .issueTime))
        var known: Set<BridgeIndex> = []
        for entry in try container.decode([BridgeEntry].self, forKey: .bridges) {
            try entry.bridge.requireFirst(in: &known, container, .bridges)
            let situation = entry.situation
            guard situation.isPossible(at: issueTime) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .bridges, in: container,
                    debugDescription:
                        "openings, times or counts of \(entry.bridge) cannot have been known at the issue time"
                )
            }
            self[entry.bridge] = situation
        }
    }

    /// Writes the bridges of which something is known.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(issueTime, forKey: .issueTime)
        let entries = BridgeIndex.all.filter { self[$0] != .unknown }
            .map { BridgeEntry($0, self[$0]) }
        try container.encode(entries, forKey: .bridges)
    }
}

/// The state and the openings of one bridge, as they are written: only ``Situation`` reads it, which checks it.
private struct BridgeEntry: Codable {
    struct Lengths: Codable {
        let count: Int
        let logMinutes: Double
        let longCount: Int
    }

    let bridge: BridgeIndex
    let state: SpanState
    let observedSince: Timestamp?
    let recent: [KnownOpening]
    let openingsToday: Int
    let openingsInFourWeeks: Int
    let coveredDaysInFourWeeks: [Double]
    let lengthsInFourWeeks: Lengths
    let recordedUntil: Timestamp?

    init(_ bridge: BridgeIndex, _ situation: BridgeSituation) {
        self.bridge = bridge
        state = situation.state
        observedSince = situation.observedSince
        recent = situation.recent
        openingsToday = situation.openingsToday
        openingsInFourWeeks = situation.openingsInFourWeeks
        coveredDaysInFourWeeks = situation.coveredDaysInFourWeeks
        let lengths = situation.lengthsInFourWeeks
        lengthsInFourWeeks = Lengths(
            count: lengths.count, logMinutes: lengths.logMinutes, longCount: lengths.longCount)
        recordedUntil = situation.recordedUntil
    }

    var situation: BridgeSituation {
        var situation = BridgeSituation()
        situation.state = state
        situation.observedSince = observedSince
        situation.recent = recent
        situation.openingsToday = openingsToday
        situation.openingsInFourWeeks = openingsInFourWeeks
        situation.coveredDaysInFourWeeks = coveredDaysInFourWeeks
        let lengths = lengthsInFourWeeks
        situation.lengthsInFourWeeks = LengthTotals(
            count: lengths.count, logMinutes: lengths.logMinutes, longCount: lengths.longCount)
        situation.recordedUntil = recordedUntil
        return situation
    }
}

extension BridgeSituation {
    /// Whether a reader of records may have read it at a time: nothing later, and no more openings than minutes.
    fileprivate func isPossible(at issueTime: Timestamp) -> Bool {
        let lengths = lengthsInFourWeeks
        return (0...1_440).contains(openingsToday) && (0...40_320).contains(openingsInFourWeeks)
            && lengths.isPossible
            && coveredDaysInFourWeeks.count == DayType.allCases.count
            && coveredDaysInFourWeeks.allSatisfy { (0...28).contains($0) }
            && [observedSince, raisedSince, recordedUntil].allSatisfy {
                $0 ?? issueTime <= issueTime
            }
            && recent.allSatisfy {
                ($0.end ?? issueTime) <= issueTime && $0.start <= $0.end ?? issueTime
            }
            && zip(recent, recent.dropFirst()).allSatisfy { $0.start >= $1.start }
    }
}

extension LengthTotals {
    fileprivate var isPossible: Bool {
        guard (0...40_320).contains(count), (0...count).contains(longCount) else { return false }
        // Sums are rounded.
        let longest = Self.logMinutes(Self.boundsMinutes.upperBound) * (Double(count) + 1e-9)
        return (0...longest).contains(logMinutes)
    }
}

extension BridgeIndex {
    fileprivate func requireFirst<Keys: CodingKey>(
        in known: inout Set<BridgeIndex>, _ container: KeyedDecodingContainer<Keys>, _ key: Keys
    ) throws {
        guard known.insert(self).inserted else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "\(self) is there twice")
        }
    }
}
