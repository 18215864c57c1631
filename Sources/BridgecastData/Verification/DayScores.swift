// Forecasts of one day against what happened: outcomes from openings and coverage, sums by bridge and lead.
package import BridgecastCore

/// What happened at a bridge at the time of an arrival.
package enum ForecastOutcome: Sendable, Equatable {
    /// It is too early to say.
    case pending
    /// The bridge was not observed, nor are there records of it, or its start is in doubt.
    case uncovered
    /// - Parameters:
    ///   - delaySeconds: At the forecast's density.
    ///   - comparedSeconds: The delay that quantiles are compared with.
    case known(isRaised: Bool, delaySeconds: Double, comparedSeconds: Double)
}

/// Reads what happened from a history.
package struct OutcomeReader: Sendable {
    private let history: OpeningHistory
    private let observation: Coverage

    /// Creates a reader; O(covered periods).
    package init(_ history: OpeningHistory) {
        self.history = history
        observation = history.observation
    }

    /// What happened at an arrival, as known at a time.
    ///
    /// Where starts are not believed, it is known except near the edges at which they are recorded: an end is right.
    package func outcome(
        of bridge: BridgeIndex, arrival: Timestamp, density: Double, at now: Timestamp
    ) -> ForecastOutcome {
        let end = arrival.adding(seconds: OpeningHistory.outcomeSeconds)
        guard end <= now else { return .pending }
        guard history.coverage.contains(arrival, of: bridge),
            let period = observation.period(containing: arrival, of: bridge),
            end <= period.upperBound
        else { return .uncovered }
        let delay = history.delaySeconds(arrivingAt: arrival, of: bridge, density: density)
        return .known(
            isRaised: history.isBlocked(at: arrival, of: bridge), delaySeconds: delay,
            comparedSeconds: delay > 0
                ? history.midMinuteDelaySeconds(
                    arrivingAt: arrival, of: bridge, density: density) ?? delay
                : 0)
    }
}

extension OpeningHistory {
    /// An outcome needs observation from the arrival to this long after it, so that its delay has come to an end.
    package static let outcomeSeconds = Int64(DelayBins.longestMinutes * 60)

    /// A hash of what a day's outcomes are made from; the same in every run of the program.
    package func fingerprint(of date: CivilDate) -> Int64 {
        let start = SeattleTime.startOfDay(date).adding(seconds: -QueueingDelay.memorySeconds)
        let end = SeattleTime.startOfDay(date.adding(days: 1))
            .adding(seconds: DayScores.maxLeadSeconds + 2 * Self.outcomeSeconds)
        var hash: UInt64 = FeatureSchema.emptyHash
        func add(_ number: Int64) {
            // FNV-1a on whole numbers in place of bytes.
            hash = (hash ^ UInt64(bitPattern: number)) &* 0x100_0000_01b3
        }
        let covered = coverage.clamped(to: start..<end)
        for bridge in BridgeIndex.all {
            add(Int64(bridge.rawValue))
            for opening in openings(of: bridge, overlapping: start..<end) {
                add(opening.start.secondsSinceEpoch)
                add(opening.end?.secondsSinceEpoch ?? 0)
            }
            for period in covered.periods[bridge.rawValue] {
                add(period.lowerBound.secondsSinceEpoch)
                add(period.upperBound.secondsSinceEpoch)
            }
        }
        // 52 bits, which the archive's checks of numbers allow.
        return Int64(hash >> 12)
    }
}

/// The scores of the forecasts that one model issued on a day.
package struct DayScores: Sendable, Equatable {
    /// Seattle's day of the issue times.
    package let date: CivilDate
    /// The archive's number of the model.
    package let model: Int64
    /// By ``cell(isKnown:bridge:lead:)``; nil where nothing was forecast.
    package private(set) var cells: [ScoreSums?]

    static let maxLeadSeconds = Int64((ArchivedIssue.leadsMinutes.max() ?? 0) * 60)
    private static let cellCount = 2 * BridgeCatalogue.count * ArchivedIssue.leadsMinutes.count

    package init(date: CivilDate, model: Int64) {
        self.date = date
        self.model = model
        cells = Array(repeating: nil, count: Self.cellCount)
    }

    /// - Parameter isKnown: Whether the bridge's state was known at issue time.
    private static func cell(isKnown: Bool, bridge: BridgeIndex, lead: Int) -> Int {
        ((isKnown ? 1 : 0) * BridgeCatalogue.count + bridge.rawValue)
            * ArchivedIssue.leadsMinutes.count + lead
    }

    /// Whether all outcomes of a day's forecasts are known, or will not be known, at a time.
    package static func isFinal(_ date: CivilDate, at now: Timestamp) -> Bool {
        SeattleTime.startOfDay(date.adding(days: 1))
            .adding(seconds: maxLeadSeconds + OpeningHistory.outcomeSeconds) <= now
    }

    /// Adds the forecasts of an issue time.
    package mutating func add(
        _ issue: ArchivedIssue, _ outcomes: OutcomeReader, at now: Timestamp
    ) {
        for bridge in BridgeIndex.all {
            for (lead, minutes) in ArchivedIssue.leadsMinutes.enumerated() {
                let forecast = issue[bridge, lead]
                let outcome = outcomes.outcome(
                    of: bridge, arrival: issue.issueTime.adding(minutes: minutes),
                    density: forecast.density, at: now)
                let cell = Self.cell(
                    isKnown: issue.isKnown[bridge.rawValue], bridge: bridge, lead: lead)
                var sums = cells[cell] ?? ScoreSums()
                sums.add(forecast, outcome)
                cells[cell] = sums
            }
        }
    }

    /// The sums of some bridges, leads and states of knowledge.
    ///
    /// - Parameters:
    ///   - isKnown: Forecasts with a known state alone, or with an unknown one; nil for both.
    package func sums(
        of bridge: BridgeIndex? = nil, lead: Int? = nil, isKnown: Bool? = nil
    ) -> ScoreSums {
        var sums = ScoreSums()
        for known in [false, true] where isKnown ?? known == known {
            for item in bridge.map({ [$0] }) ?? BridgeIndex.all {
                for index in ArchivedIssue.leadsMinutes.indices where lead ?? index == index {
                    let cell = Self.cell(isKnown: known, bridge: item, lead: index)
                    if let found = cells[cell] { sums += found }
                }
            }
        }
        return sums
    }
}

// MARK: - Packed

extension DayScores {
    /// The cells that are not empty: a byte with the number of each, then its sums in single precision.
    package var packedCells: [UInt8] {
        var bytes: [UInt8] = []
        for (index, cell) in cells.enumerated() {
            guard let cell else { continue }
            bytes.append(UInt8(index))
            for number in cell.numbers {
                let bits = Float(number).bitPattern
                for shift in stride(from: UInt32(0), to: 32, by: 8) {
                    bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
                }
            }
        }
        return bytes
    }

    /// Reads ``packedCells``; nil for anything else.
    package init?(date: CivilDate, model: Int64, packedCells bytes: [UInt8]) {
        self.init(date: date, model: model)
        let size = 1 + 4 * ScoreSums.numberCount
        guard bytes.count % size == 0 else { return nil }
        for start in stride(from: 0, to: bytes.count, by: size) {
            let numbers = (0..<ScoreSums.numberCount).map { index in
                let first = start + 1 + 4 * index
                let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[first + $1]) << (8 * $1) }
                return Double(Float(bitPattern: bits))
            }
            let index = Int(bytes[start])
            guard index < Self.cellCount, let sums = ScoreSums(numbers) else { return nil }
            cells[index] = sums
        }
    }
}
