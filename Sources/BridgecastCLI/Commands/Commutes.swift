// The commutes that `predict` ranks when neither a trip nor candidates are named, and the overview of them: the bridges
// first, then a line for each commute.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastRoads
import BridgecastRouting
import BridgecastSupport

/// A trip that many people make, by the names of places.
struct Commute {
    /// What `--only` selects by, besides the names.
    let id: String
    let origin: String
    let destination: String
    let mode: Route.Mode

    /// A dozen over all seven drawbridges.
    static let all = [
        Commute("ballard-downtown", "Ballard", "Downtown"),
        Commute("fremont-slu", "Fremont", "South Lake Union"),
        Commute("magnolia-fremont", "Magnolia", "Fremont"),
        Commute("queen-anne-udistrict", "Queen Anne", "University District"),
        Commute("wallingford-capitol-hill", "Wallingford", "Capitol Hill"),
        Commute("udistrict-capitol-hill", "University District", "Capitol Hill"),
        Commute("uvillage-madison-valley", "University Village", "Madison Valley"),
        Commute("west-seattle-sodo", "West Seattle", "SoDo"),
        Commute("white-center-georgetown", "White Center", "Georgetown"),
        Commute("south-park-georgetown", "South Park", "Georgetown"),
        Commute("ballard-downtown-bike", "Ballard", "Downtown", by: .bike),
        Commute("west-seattle-sodo-bike", "West Seattle", "SoDo", by: .bike),
    ]

    private init(
        _ id: String, _ origin: String, _ destination: String, by mode: Route.Mode = .car
    ) {
        self.id = id
        self.origin = origin
        self.destination = destination
        self.mode = mode
    }

    /// The commutes whose id, origin or destination has a text in it; all without a text.
    ///
    /// - Throws: ``CommandFailure`` if there is none.
    static func selected(by text: String?) throws -> [Commute] {
        guard let text else { return all }
        let wanted = text.lowercased()
        let chosen = all.filter { commute in
            [commute.id, commute.origin, commute.destination].contains {
                $0.lowercased().contains(wanted)
            }
        }
        guard !chosen.isEmpty else {
            throw CommandFailure(
                .usage, "--only: no commute's id, origin or destination has '\(printable(text))'")
        }
        return chosen
    }

    /// - Throws: `PlaceError` if the roads do not know a place.
    func trip(on roads: RoadNetwork) throws(PlaceError) -> Trip {
        try roads.trip(from: origin, to: destination, mode: mode)
    }
}

// MARK: - Overview

/// Bridges and commutes in at most thirty lines.
enum OverviewText {
    /// The overview of commutes ranked on the roads.
    ///
    /// - Parameter forecasts: Of all bridges for cars, at the departure.
    static func text(_ prediction: Prediction, _ forecasts: ForecastTable) -> String {
        let groups = prediction.groups.filter { !$0.isEmpty }
        let concerned = groups.filter(crossesDrawbridge)
        let others = groups.filter { !crossesDrawbridge($0) }
        var commutes = TextTable(
            ["from", "to", "best route", "expected", "P90", "stopped", "next best"],
            [.left, .left, .left, .right, .right, .right, .left])
        for group in concerned + others { commutes.add(row(group)) }
        let example = "One trip in full: bridgecast predict --from Ballard --to Downtown"
        let attribution = prediction.attribution.map { [RoadsText.attribution($0)] } ?? []
        return [
            PredictionText.heading(prediction),
            bridges(prediction.context, forecasts).text(indent: "  "),
            commutes.text(indent: "  "),
            ([example] + attribution).joined(separator: "\n"),
        ].joined(separator: "\n\n")
    }

    private static func bridges(
        _ context: ForecastContext, _ forecasts: ForecastTable
    ) -> TextTable {
        let view = BridgeView(
            context.situation, forecasts, traffic: context.traffic,
            climatology: context.model.climatology, at: context.departure)
        var table = TextTable(
            ["bridge", "state", "stopped", "usually", "why"],
            [.left, .left, .right, .right, .left])
        for bridge in BridgeIndex.all {
            let chance = view.delay(bridge, view.time).probabilityDelayed
            let usual = view.climatologicalProbability(bridge, view.time)
            let reasons = view.reasons(
                bridge, ClimatologyComparison(chance: chance, climatology: usual))
            table.add([
                BridgeCatalogue[bridge].name, BridgeOutlookText.state(view.situation[bridge].state),
                percent(chance), percent(usual),
                printable(reasons.map(\.text).joined(separator: "; "), maxLength: maxReasonLength),
            ])
        }
        return table
    }

    private static func row(_ group: RankedRoutes) -> [String] {
        let best = group.ranking[0]
        let by = group.mode == .car ? "" : group.mode == .bike ? " (bike)" : " (on foot)"
        return [
            group.origin, group.destination + by,
            printable(best.route.name, maxLength: maxRouteLength),
            minutesAndSeconds(best.expectedMinutes * 60), minutesAndSeconds(best.p90Minutes * 60),
            best.crossings.isEmpty ? "-" : percent(best.probabilityStopped),
            alternative(to: best, in: group),
        ]
    }

    /// The best route over other drawbridges than the best of all, or over none, with the time that it takes longer.
    private static func alternative(to best: RouteScore, in group: RankedRoutes) -> String {
        guard let other = group.ranking.first(where: { $0.route.crossings != best.route.crossings })
        else { return "" }
        let bridges = other.route.crossings.map { BridgeCatalogue[$0].name }
        let way = bridges.isEmpty ? "without a drawbridge" : "by \(bridges.joined(separator: ", "))"
        let longer = (other.expectedMinutes - best.expectedMinutes) * 60
        return "\(longer < 0 ? "-" : "+")\(minutesAndSeconds(abs(longer))) \(way)"
    }

    /// Whether any route that is worth comparing crosses a drawbridge.
    private static func crossesDrawbridge(_ group: RankedRoutes) -> Bool {
        group.ranking.contains { !$0.route.crossings.isEmpty }
    }

    private static let maxRouteLength = 44
    private static let maxReasonLength = 90
}
