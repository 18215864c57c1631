// The review of records before anything learns from them: which tests there are, and what is set aside.
// The tests are in the other files of this folder; rows that cannot be read are the business of BridgecastData.
package import BridgecastCore
package import BridgecastSupport

/// A review of opening records: what in them is implausible, and which of them are fit to learn from.
///
/// Each test compares a part of the records with the rest of the same records, except ``WrongHours``, which compares
/// them with the rules. What chance cannot explain is set aside: it is removed from the coverage of the bridges
/// concerned, so that it counts as unknown. The review is repeated on what is left until nothing more is found; then
/// starts on the edge of a job are found (``EdgeStarts``), which are not believed, while their openings stay. The same
/// records give the same findings.
package struct RecordsReview: Sendable {
    /// The records without what was set aside, and with the starts in doubt that are not believed; may cover nothing.
    package let usable: OpeningHistory
    /// By time.
    package let findings: [RecordsFinding]
    /// All records by bridge and week, in this order.
    package let weeks: [BridgeWeek]
    /// The share of covered time that was set aside, all bridges together, 0...1.
    package let setAsideShare: Double

    /// Records are refused if more than this share of their covered time is set aside.
    package static let maxSetAsideShare = 0.25
    /// What is at least this likely is taken for chance, by each test and for each part that it looks at.
    static let chance = 1e-6
    private static let maxRounds = 8

    /// Reviews records; a second for the shipped 8,000 openings, quadratic in the openings of a bridge and in weeks.
    package init(_ history: OpeningHistory) {
        var current = history
        var findings: [RecordsFinding] = []
        // In records that are hours off, weeks an hour off are only the change of the clocks: WrongHours comes first.
        let tests = [
            DoubledRows.findings, SharedSilence.findings, BridgeSilence.findings,
            OneLength.findings, Repetition.findings, WrongHours.findings, ClockShift.findings,
        ]
        for round in 1...Self.maxRounds {
            var warnings: [RecordsFinding] = []
            var isChanged = false
            for test in tests {
                let found = test(current)
                let setAside = found.filter(\.isSetAside)
                warnings += found.filter { !$0.isSetAside }
                guard !setAside.isEmpty else { continue }
                isChanged = true
                findings += setAside
                current = current.without(setAside)
            }
            if !isChanged || round == Self.maxRounds {
                findings += warnings + OddRate.findings(in: current)
                findings += EdgeStarts.findings(in: current)
                break
            }
        }
        usable = current.doubtingStarts(findings)
        self.findings = findings.sorted {
            ($0.period.lowerBound, $0.bridges.first?.rawValue ?? 0)
                < ($1.period.lowerBound, $1.bridges.first?.rawValue ?? 0)
        }
        weeks = BridgeWeek.all(of: history)
        let covered = history.coverage.minutes
        setAsideShare = covered > 0 ? 1 - current.coverage.minutes / covered : 0
    }

    /// The records without what was set aside.
    ///
    /// - Throws: ``RecordsReviewError`` if it is more than ``maxSetAsideShare`` of the covered time.
    package func accepted() throws(RecordsReviewError) -> OpeningHistory {
        guard setAsideShare <= Self.maxSetAsideShare else {
            throw .contradictory(
                share: setAsideShare, findings: findings.filter(\.isSetAside).map(\.description))
        }
        return usable
    }

    /// A longer history without what was set aside or not believed in the part of it that was reviewed.
    package func applied(to history: OpeningHistory) -> OpeningHistory {
        history.without(findings).doubtingStarts(findings)
    }
}

extension OpeningHistory {
    /// The history in which what findings set aside was not recorded.
    func without(_ findings: [RecordsFinding]) -> OpeningHistory {
        var openings = openings
        var coverage = coverage
        for finding in findings where finding.isSetAside {
            for bridge in finding.bridges {
                openings[bridge.rawValue].removeAll { finding.period.contains($0.start) }
                coverage = coverage.subtracting([finding.period], of: bridge)
            }
        }
        return OpeningHistory(disjoint: openings, coverage: coverage)
    }

    /// The openings of a bridge that began in covered time, in order.
    func covered(_ bridge: BridgeIndex) -> [Opening] {
        openings[bridge.rawValue].filter { coverage.contains($0.start, of: bridge) }
    }
}

/// Something implausible in records: where, when and what.
package struct RecordsFinding: Sendable, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable, CaseIterable {
        /// No openings where the rest of the records has some.
        case silence
        case oneLength
        /// A clock hours ahead or behind.
        case clock
        /// The openings of another time again, or every opening twice.
        case repetition
        /// Many more openings than in the rest, or many fewer.
        case rate
        /// Starts at one minute of every quarter of an hour.
        case edgeStarts
    }

    package let kind: Kind
    /// In the order of the catalogue.
    package let bridges: [BridgeIndex]
    /// The time that it concerns.
    package let period: Range<Timestamp>
    /// Whether the period is removed from the bridges' coverage.
    package let isSetAside: Bool
    /// The minute of the quarter of an hour, 0...14, at which starts in the period are not believed; nil for other
    /// findings.
    package let edgeMinute: Int?
    /// What was found, with its numbers.
    package let message: String

    init(
        kind: Kind, bridges: [BridgeIndex], period: Range<Timestamp>, isSetAside: Bool,
        edgeMinute: Int? = nil, message: String
    ) {
        self.kind = kind
        self.bridges = bridges
        self.period = period
        self.isSetAside = isSetAside
        self.edgeMinute = edgeMinute
        self.message = message
    }

    /// Whether training and scoring use the records otherwise than as they are.
    package var changesUse: Bool { isSetAside || edgeMinute != nil }

    package var description: String { "\(scope): \(message)" }

    /// The bridges and the period, in Seattle's time.
    package var scope: String {
        let names =
            bridges.count == BridgeIndex.all.count
            ? "all bridges" : bridges.map(\.description).joined(separator: ", ")
        return "\(names), \(Self.text(period.lowerBound)) to \(Self.text(period.upperBound))"
    }

    private static func text(_ time: Timestamp) -> String {
        let civil = SeattleTime.civil(at: time)
        return "\(civil.date) \(ClockText.hoursMinutes(civil.hour, civil.minute))"
    }
}

/// Why records are refused as a whole.
package enum RecordsReviewError: Failure, Equatable {
    /// Too much of the covered time contradicts the rest: its share, 0...1, and what was found.
    case contradictory(share: Double, findings: [String])

    package var kind: FailureKind { .data }

    package var description: String {
        switch self {
        case .contradictory(let share, let findings):
            let maxListed = 5
            let first = findings.prefix(maxListed).joined(separator: "; ")
            let more = findings.count > maxListed ? "; and \(findings.count - maxListed) more" : ""
            return
                "the records contradict themselves in \(Int((share * 100).rounded())) % of the time that "
                + "they cover (\(first)\(more)): correct the records or their --coverage, or use them "
                + "unchanged with --keep-all-records"
        }
    }
}

// MARK: - What several tests use

/// The run of neighbouring items with the largest sum of scores.
struct BestRun {
    /// The items of the run.
    let range: Range<Int>
    /// The sum of their scores, above 0.
    let score: Double

    /// Finds the run in one pass (Kadane's); nil if no score is above 0.
    init?(_ scores: [Double]) {
        var best: (range: Range<Int>, score: Double)?
        var start = 0
        var sum = 0.0
        for (index, score) in scores.enumerated() {
            if sum <= 0 {
                start = index
                sum = 0
            }
            sum += score
            if sum > best?.score ?? 0 { best = (start..<index + 1, sum) }
        }
        guard let best else { return nil }
        range = best.range
        score = best.score
    }

    /// The strongest runs with more than a given score, at most ten, none of which touch the same items.
    static func all(_ scores: [Double], above threshold: Double) -> [BestRun] {
        var scores = scores
        var runs = [BestRun]()
        while runs.count < 10, let run = BestRun(scores), run.score > threshold {
            for index in run.range { scores[index] = -.infinity }
            runs.append(run)
        }
        return runs
    }
}

extension Opening {
    /// Its start in seconds on the wall clock since 1970-01-01.
    var clockSeconds: Int {
        let civil = SeattleTime.civil(at: start)
        return civil.date.dayNumber * 86_400 + civil.secondOfDay
    }

    /// Its length in whole seconds; 0 without an end.
    var lengthSeconds: Int { Int(((minutes ?? 0) * 60).rounded()) }
}

extension SeattleTime {
    /// Whole civil days, by their numbers.
    package static func period(ofDays days: ClosedRange<Int>) -> Range<Timestamp> {
        startOfDay(
            CivilDate(dayNumber: days.lowerBound))..<startOfDay(
                CivilDate(dayNumber: days.upperBound + 1))
    }
}
