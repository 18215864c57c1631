// The baseline that knows only how often a bridge is up.
package import BridgecastCore

/// Share of covered minutes in which each bridge was up, whatever the time.
package struct BaseRate: Baseline {
    private let share: [Float]

    /// Counts the records; half an opening-minute in a hundred minutes stands for no records.
    package init(_ history: OpeningHistory) {
        share = BridgeIndex.all.map { bridge in
            let open = history.openMinutes(of: bridge)
            return Float((open + 0.5) / (history.coverage.minutes(of: bridge) + 100))
        }
    }

    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        share[query.bridge.rawValue]
    }
}

extension OpeningHistory {
    /// Minutes of a bridge's openings within coverage.
    func openMinutes(of bridge: BridgeIndex) -> Double {
        coverage.periods[bridge.rawValue].reduce(0) { sum, period in
            openings(of: bridge, overlapping: period).reduce(sum) { sum, opening in
                guard let end = opening.end else { return sum }
                let part = (opening.start..<end).clamped(to: period)
                return sum + part.upperBound.minutes(since: part.lowerBound)
            }
        }
    }
}
