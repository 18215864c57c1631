// What records say against themselves, before anything learns from them; for `bridgecast train` and `ingest`.
// Belongs here: tests of records against their own rest and against the bridges' closed hours, and what is set aside;
// not: rows that cannot be read (BridgecastData).
package import BridgecastCore

/// A review of opening records: what is odd in them, and what of them is fit to learn from.
///
/// Each test compares a part of the records with the rest of the same records, but for ``WrongHours``, which compares
/// them with the rules. What chance cannot explain is set aside: it is taken out of the coverage of the bridges
/// concerned, so that it counts as "not known". The review is repeated on what is left until nothing more is found. The
/// same records give the same findings.
package struct RecordsReview: Sendable {
    /// The records without what was set aside; may cover nothing.
    package let usable: OpeningHistory
    /// What was found, in order of time.
    package let findings: [RecordsFinding]
    /// All records by bridge and week, in this order.
    package let weeks: [BridgeWeek]
    /// The share of covered time that was set aside, all bridges together, 0...1.
    package let setAsideShare: Double

    /// More than this share of the covered time set aside, and the records are refused.
    package static let largestShare = 0.25
    /// Tests call chance what is at least this likely, in each place they look.
    static let chance = 1e-6
    private static let mostRounds = 8

    /// Reviews records; a second for the shipped 8,000 openings, quadratic in the openings of a bridge and in weeks.
    package init(_ history: OpeningHistory) {
        var current = history
        var findings: [RecordsFinding] = []
        // Where all is hours off, weeks an hour off are only the change of the clocks: WrongHours comes first.
        let tests = [
            DoubledRows.findings, SharedSilence.findings, BridgeSilence.findings,
            OneLength.findings, Repetition.findings, WrongHours.findings, ClockShift.findings,
        ]
        for round in 1...Self.mostRounds {
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
            if !isChanged || round == Self.mostRounds {
                findings += warnings + OddRate.findings(in: current)
                break
            }
        }
        usable = current
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
    /// - Throws: ``RecordsReviewError`` if that is more than ``largestShare`` of the covered time.
    package func accepted() throws(RecordsReviewError) -> OpeningHistory {
        guard setAsideShare <= Self.largestShare else {
            throw .contradictory(
                share: setAsideShare, findings: findings.filter(\.isSetAside).map(\.description))
        }
        return usable
    }

    /// A longer history without what was set aside in the part of it that was reviewed.
    package func applied(to history: OpeningHistory) -> OpeningHistory { history.without(findings) }
}

extension OpeningHistory {
    /// The history in which what findings set aside was not recorded.
    func without(_ findings: [RecordsFinding]) -> OpeningHistory {
        var (openings, coverage) = (openings, coverage)
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
