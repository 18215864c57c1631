// Coverage from a file that states it; used by the commands that take records.
// Belongs here: for which periods records are complete; not: what follows from that (OpeningHistory of Core).
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
    /// - Throws: ``DocumentError`` with the period and field that are wrong.
    public static func read(_ url: URL) throws(DocumentError) -> Coverage {
        try InputFile(url).content(coverage)
    }

    private static func coverage(_ data: Data) throws(DocumentProblem) -> Coverage {
        guard let content = try? JSONDecoder().decode(Content.self, from: data) else {
            throw DocumentProblem(
                "",
                "not a coverage file: expected {\"periods\": [{\"from\", \"to\", \"bridges\": [ids as text]}]}"
            )
        }
        guard content.timeZone.map({ $0 == "America/Los_Angeles" }) ?? true else {
            throw DocumentProblem(
                "timeZone", "times are Seattle's, America/Los_Angeles; convert the others")
        }
        var periods: [BridgeIndex: [Range<Timestamp>]] = [:]
        for (number, period) in content.periods.enumerated() {
            let place = "periods[\(number)]"
            let from = try moment(period.from, "\(place).from")
            let to = try moment(period.to, "\(place).to")
            guard from < to else { throw DocumentProblem("\(place).to", "does not lie after from") }
            for name in period.bridges {
                guard let bridge = BridgeCatalogue.index(named: name) else {
                    throw DocumentProblem(
                        "\(place).bridges", "unknown bridge '\(printable(name, most: 40))'")
                }
                periods[bridge, default: []].append(from..<to)
            }
        }
        return Coverage(periods)
    }

    private static func moment(
        _ text: String, _ place: String
    ) throws(DocumentProblem) -> Timestamp {
        let candidates =
            TimeText.parseFloating(text).map { SeattleTime.resolve($0).candidates }
            ?? (try? TimeText.parse(text)).map { [$0] } ?? []
        guard let moment = candidates.first else {
            throw DocumentProblem(place, "'\(text)' is no Seattle time")
        }
        return moment
    }
}
