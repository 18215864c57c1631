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
        let concerned = prediction.groups.filter(crossesDrawbridge)
        let others = prediction.groups.filter { !crossesDrawbridge($0) }
        var commutes = TextTable(
            ["from", "to", "best route", "expected", "P90", "stopped", "next best"],
            [.left, .left, .left, .right, .right, .right, .left])
        for group in concerned + others { commutes.add(row(group)) }
        let example = """
            usually: on such a day at such an hour; P90: nine trips in ten take no longer; \
            in full: bridgecast predict --from Ballard --to Downtown
            """
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
            let summary = BridgeSummary(bridge, in: view, reachMinutes: 0)
            let reasons = summary.reasons.map(\.text).joined(separator: "; ")
            table.add([
                summary.facts.name, BridgeOutlookText.state(summary.state),
                percent(summary.delay.probabilityDelayed),
                percent(summary.climatologicalProbability),
                printable(reasons, maxLength: maxReasonLength),
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
