// Coverage: read from a file that states it, or inferred from the records themselves.
public import BridgecastCore
public import Foundation

/// Reads `coverage.json`: periods in floating Seattle time and the bridges they are complete for.
public enum CoverageFile {
    private struct Content: Decodable {
        struct Period: Decodable {
            let from: String
            let to: String
            let bridges: [String]
        }

        let periods: [Period]
        let timeZone: String?
    }

    /// Reads a coverage file.
    ///
    /// - Throws: ``RecordFileError`` with the period and field that are wrong.
    public static func read(_ url: URL) throws(RecordFileError) -> Coverage {
        let input = try InputFile(url)
        let content: Content
        do {
            content = try JSONDecoder().decode(Content.self, from: Data(input.bytes))
        } catch {
            throw RecordFileError(
                .content, path: input.path,
                reason: "not a coverage file: expected {\"periods\": [{\"from\", \"to\", "
                    + "\"bridges\": [ids as text]}]}")
        }
        guard content.timeZone.map({ $0 == "America/Los_Angeles" }) ?? true else {
            throw RecordFileError(
                .content, path: input.path,
                reason: "timeZone: times are Seattle's, America/Los_Angeles; convert the others")
        }
        var periods = BridgeIndex.all.map { _ in [Range<Timestamp>]() }
        for (number, period) in content.periods.enumerated() {
            func refusal(_ what: String) -> RecordFileError {
                RecordFileError(.content, path: input.path, reason: "periods[\(number)].\(what)")
            }
            guard let from = moment(period.from) else {
                throw refusal("from: '\(period.from)' is no Seattle time")
            }
            guard let to = moment(period.to) else {
                throw refusal("to: '\(period.to)' is no Seattle time")
            }
            guard from < to else { throw refusal("to: does not lie after from") }
            for name in period.bridges {
                guard let bridge = BridgeCatalogue.index(named: name) else {
                    throw refusal("bridges: unknown bridge '\(name)'")
                }
                periods[bridge.rawValue].append(from..<to)
            }
        }
        return Coverage(periods: periods)
    }

    private static func moment(_ text: String) -> Timestamp? {
        guard let civil = TimeText.parseFloating(text) else { return try? TimeText.parse(text) }
        return SeattleTime.resolve(civil).candidates.first
    }
}

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
