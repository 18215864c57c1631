public import BridgecastCore
public import BridgecastSupport
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
            let location = "periods[\(number)]"
            let from = try time(period.from, at: "\(location).from")
            let to = try time(period.to, at: "\(location).to")
            guard from < to else { throw DocumentProblem("\(location).to", "is not after from") }
            for name in period.bridges {
                guard let bridge = BridgeCatalogue.index(named: name) else {
                    throw DocumentProblem(
                        "\(location).bridges", "unknown bridge '\(printable(name, maxLength: 40))'")
                }
                periods[bridge, default: []].append(from..<to)
            }
        }
        return Coverage(periods)
    }

    private static func time(
        _ text: String, at location: String
    ) throws(DocumentProblem) -> Timestamp {
        let candidates =
            TimeText.parseFloating(text).map { SeattleTime.resolve($0).candidates }
            ?? (try? TimeText.parse(text)).map { [$0] } ?? []
        guard let time = candidates.first else {
            throw DocumentProblem(location, "'\(text)' is not a Seattle time")
        }
        return time
    }
}
