// A prediction as a table for people and as CSV for spreadsheets.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastRoads
import Foundation

enum PredictionText {
    /// Tables by origin and destination, each with the reasons below.
    ///
    /// - Parameter showsDirections: Whether the roads of each route follow, where it was found on roads.
    static func table(_ prediction: Prediction, showsDirections: Bool = false) throws -> String {
        let groups = try prediction.groups.flatMap { group in
            let roads = showsDirections ? directions(group) : []
            return [try self.group(group, prediction)] + roads
                + (group.ways.map { [RoadsText.attribution($0.network.attribution)] } ?? [])
        }
        return ([heading(prediction)] + groups).joined(separator: "\n\n")
    }

    /// The roads of each route, a line each.
    private static func directions(_ group: RankedGroup) -> [String] {
        guard let ways = group.ways else { return [] }
        let lines = group.ranking.enumerated().compactMap { rank, score in
            ways.path(of: score).map {
                "  \(rank + 1): \(RoadsText.directions($0, on: ways.network))"
            }
        }
        return [lines.joined(separator: "\n")]
    }

    /// One line per route.
    static func csv(_ prediction: Prediction) -> String {
        var lines = [
            "origin,destination,mode,rank,route_id,route,issue_time,departure,expected_min,p90_min,"
                + "probability_stopped,expected_delay_s,crossings,confidence,model"
        ]
        for group in prediction.groups {
            for (rank, score) in group.ranking.enumerated() {
                let crossings = score.crossings.map {
                    "\(BridgeCatalogue[$0.bridge].name) \(TimeText.rfc3339($0.arrival))"
                }
                lines.append(
                    [
                        group.origin, group.destination, group.mode.rawValue, "\(rank + 1)",
                        score.route.id, score.route.name,
                        TimeText.rfc3339(prediction.context.issueTime),
                        TimeText.rfc3339(prediction.context.departure),
                        fixed(score.expectedMinutes, 2),
                        fixed(score.p90Minutes, 2),
                        fixed(score.probabilityStopped, 4),
                        fixed(score.expectedDelayMinutes * 60, 1),
                        crossings.joined(separator: "; "),
                        score.crossings.map { prediction.confidence($0).rawValue }.joined(
                            separator: "; "),
                        prediction.context.model.header.name,
                    ].map(escaped).joined(separator: ","))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func heading(_ prediction: Prediction) -> String {
        let header = prediction.context.model.header
        let known = prediction.context.situation.bridges.count { $0.state != .unknown }
        let source = prediction.source.words.map { "\n\($0)" } ?? ""
        return """
            Leaving \(day(prediction.context.departure)); forecast issued \(day(prediction.context.issueTime))
            Model \(header.name) (\(header.weightFormat.rawValue)); the state of \(known) of \
            \(BridgeCatalogue.count) bridges is known\(source)
            """
    }

    private static func group(_ group: RankedGroup, _ prediction: Prediction) throws -> String {
        let hasDeadline = prediction.deadline != nil
        var table = TextTable(
            ["#", "route", "expected", "P90"] + (hasDeadline ? ["on time"] : [])
                + ["stopped", "delay", "bridges (ETA, chance, confidence)"],
            [.right, .left, .right, .right] + (hasDeadline ? [.right] : [])
                + [.right, .right, .left])
        for (rank, score) in group.ranking.enumerated() {
            table.add(
                [
                    "\(rank + 1)", printable(score.route.name, most: TextTable.longestName),
                    minutesAndSeconds(score.expectedMinutes * 60),
                    minutesAndSeconds(score.p90Minutes * 60),
                ] + (score.probabilityOnTime.map { [percent($0)] } ?? []) + [
                    score.crossings.isEmpty ? "-" : percent(score.probabilityStopped),
                    score.crossings.isEmpty
                        ? "-" : minutesAndSeconds(score.expectedDelayMinutes * 60),
                    crossings(score, prediction),
                ])
        }
        let why = (try reasons(group, prediction) + comparison(group, prediction)).map {
            "     \($0)"
        }
        let by = group.mode == .car ? "" : group.mode == .bike ? " (by bike)" : " (on foot)"
        let heading = printable("\(group.origin) -> \(group.destination)", most: 200) + by
        return ([heading, table.text(indent: "  ")] + why)
            .joined(separator: "\n")
    }

    /// What puts each route behind the one before it, in minutes of the ranking.
    private static func comparison(_ group: RankedGroup, _ prediction: Prediction) -> [String] {
        guard prediction.comparesRoutes else { return [] }
        return zip(group.ranking, group.ranking.dropFirst()).enumerated().map { index, pair in
            let parts = pair.1.differences(from: pair.0, weights: prediction.weights)
                .filter { abs($0.minutes) >= 0.005 }
                .map { "\($0.criterion.label) \(signed($0.minutes))" }
            let behind = fixed(pair.1.score - pair.0.score, 2)
            return "\(index + 2) is \(behind) min behind \(index + 1)"
                + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
        }
    }

    private static func signed(_ minutes: Double) -> String {
        (minutes < 0 ? "-" : "+") + fixed(abs(minutes), 2)
    }

    private static func crossings(_ score: RouteScore, _ prediction: Prediction) -> String {
        guard !score.crossings.isEmpty else { return "none" }
        return score.crossings.map { crossing in
            "\(BridgeCatalogue[crossing.bridge].name) \(TimeText.clock(crossing.arrival)), "
                + "\(percent(crossing.probabilityDelayed)), "
                + prediction.confidence(crossing).rawValue
        }.joined(separator: "; ")
    }

    /// One line per bridge of the group, in the order of the ranking.
    private static func reasons(
        _ group: RankedGroup, _ prediction: Prediction
    ) throws -> [String] {
        var seen: Set<BridgeIndex> = []
        return try group.ranking.flatMap(\.crossings).flatMap { crossing -> [String] in
            guard seen.insert(crossing.bridge).inserted else { return [] }
            let ifStopped = minutesAndSeconds(crossing.delay.expectedSecondsIfDelayed)
            let words = prediction.reasons(crossing, group.mode).map(\.text)
                .joined(separator: "; ")
            let reason =
                "\(BridgeCatalogue[crossing.bridge].name): \(words); if stopped, about \(ifStopped)"
            guard prediction.explains else { return [reason] }
            return [reason] + (try explanation(crossing, group.mode, prediction))
        }
    }

    /// From the usual chance to the forecast, one line per factor of the odds.
    private static func explanation(
        _ crossing: CrossingScore, _ mode: Route.Mode, _ prediction: Prediction
    ) throws -> [String] {
        let explanation = try prediction.explanation(crossing, mode)
        let parts = explanation.parts
        let width = parts.map(\.name.count).max() ?? 0
        let chances =
            "  delayed at \(TimeText.clock(crossing.arrival)): usually "
            + "\(percent(explanation.climatology)), now \(percent(explanation.probability)); "
        if let certainty = explanation.certainty { return [chances + certainty] }
        return [chances + "factors of the odds:"]
            + parts.map { part in
                let name = part.name.padding(toLength: width, withPad: " ", startingAt: 0)
                let factor = "x \(fixed(exp(part.logOdds), 2))"
                let blanks = String(repeating: " ", count: max(0, 10 - factor.count))
                return "\(blanks)\(factor)  \(name)  \(part.words)"
            }
    }

    static func day(_ moment: Timestamp) -> String {
        let civil = SeattleTime.civil(at: moment)
        let weekday = "\(civil.date.weekday)".prefix(3).capitalized
        let zone = SeattleTime.utcOffsetSeconds(at: moment) == -25_200 ? "PDT" : "PST"
        return "\(weekday) \(civil.date) \(TimeText.clock(moment)) \(zone)"
    }

    private static func escaped(_ field: String) -> String {
        guard field.contains(where: { "\",\n\r".contains($0) }) else { return field }
        return "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
