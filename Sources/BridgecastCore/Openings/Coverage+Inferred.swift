// A guess at coverage from the openings alone; used where records come without a statement, in files or from a feed.

extension Coverage {
    /// Silence of all bridges for longer than this interrupts inferred coverage: 36 hours.
    public static let longestSilenceMinutes = 36.0 * 60
    /// Fewer openings of a bridge in a stretch say nothing about it.
    public static let fewestOpenings = 3

    /// A guess at coverage from the openings alone, for files that come without a statement.
    ///
    /// Time is covered from the first to the last opening of any bridge, interrupted where no
    /// bridge opened for 36 hours, for each bridge with at least three openings in that stretch.
    public static func inferred(from openings: [Opening]) -> Coverage {
        let sorted = openings.sorted { $0.start < $1.start }
        var periods = BridgeIndex.all.map { _ in [Range<Timestamp>]() }
        var stretch: [Opening] = []
        func close() {
            guard let first = stretch.first?.start, let last = stretch.last?.start, first < last
            else { return }
            for bridge in BridgeIndex.all
            where stretch.count(where: { $0.bridge == bridge }) >= fewestOpenings {
                periods[bridge.rawValue].append(first..<last)
            }
        }
        for opening in sorted {
            if let last = stretch.last,
                opening.start.minutes(since: last.start) > longestSilenceMinutes
            {
                close()
                stretch = []
            }
            stretch.append(opening)
        }
        close()
        return Coverage(periods: periods)
    }
}
