// OpenTripPlanner's itineraries as candidates: of its REST interface and of both of its GraphQL interfaces.
import BridgecastCore
import Foundation

/// The plan in a reply.
struct OpenTripPlannerPlan {
    /// The itineraries.
    let itineraries: [Any]
    /// Where they stand.
    let place: String
    /// What the planner says if there are none.
    let refusal: String?

    /// The plan of a reply; nil if there is none in it.
    init?(_ value: [String: Any]) {
        func errors(_ plan: [String: Any]) -> String? {
            let list = plan["routingErrors"] as? [[String: Any]] ?? []
            return list.first.flatMap { $0["description"] as? String ?? $0["code"] as? String }
        }
        let data = value["data"] as? [String: Any] ?? [:]
        if let plan = value["plan"] as? [String: Any] {
            (itineraries, place) = (plan["itineraries"] as? [Any] ?? [], "plan.itineraries")
            let error = value["error"] as? [String: Any]
            refusal = error?["msg"] as? String ?? error?["message"] as? String
        } else if let plan = data["plan"] as? [String: Any] {
            (itineraries, place) = (plan["itineraries"] as? [Any] ?? [], "data.plan.itineraries")
            refusal = errors(plan)
        } else if let plan = data["planConnection"] as? [String: Any] {
            let edges = (plan["edges"] as? [Any] ?? []).map { $0 as? [String: Any] ?? [:] }
            (itineraries, place) = (edges.map { $0["node"] as Any }, "data.planConnection.edges")
            refusal = errors(plan)
        } else if let trip = data["trip"] as? [String: Any],
            let patterns = trip["tripPatterns"] as? [Any]
        {
            (itineraries, place) = (patterns, "data.trip.tripPatterns")
            refusal = errors(trip)
        } else {
            return nil
        }
    }
}

extension CandidateReader {
    /// How a leg is travelled, as far as drawbridges are concerned.
    private enum LegKind {
        /// In the traffic of the road.
        case road
        case bike
        case walk
        /// Not on a bridge's deck.
        case offRoad

        init(_ mode: String) {
            self =
                switch mode.lowercased() {
                case "walk", "foot": .walk
                case "bicycle", "scooter": .bike
                case "rail", "subway", "metro", "tram", "ferry", "water", "airplane", "air",
                    "cable_car", "cableway", "gondola", "funicular", "lift", "monorail":
                    .offRoad
                default: .road
                }
        }

        var mode: Route.Mode? {
            switch self {
            case .road: .car
            case .bike: .bike
            case .walk: .walk
            case .offRoad: nil
            }
        }
    }

    /// Reads itineraries: legs with a line, a duration in seconds and, where they are given, their start times.
    ///
    /// An itinerary waits at bridges as its leg that crosses one does, in the queue by car or bus, or not.
    mutating func addOpenTripPlanner(_ plan: OpenTripPlannerPlan) throws(CandidateMistake) {
        if plan.itineraries.contains(where: Self.hasStart) {
            remark(plan.place, "all are ranked as if they left at the time asked for")
        }
        for (number, itinerary) in plan.itineraries.enumerated() {
            try attempt { (reader) throws(CandidateMistake) in
                let place =
                    "\(plan.place)[\(number)]" + (plan.place.hasSuffix("edges") ? ".node" : "")
                guard let itinerary = itinerary as? [String: Any],
                    let legs = itinerary["legs"] as? [[String: Any]], !legs.isEmpty
                else { throw CandidateMistake("\(place).legs", "are missing") }
                try reader.addItinerary(legs, place)
            }
        }
    }

    private static func hasStart(_ itinerary: Any) -> Bool {
        let legs = (itinerary as? [String: Any])?["legs"] as? [[String: Any]]
        return legs?.first.flatMap(startSeconds) != nil
    }

    private mutating func addItinerary(
        _ legs: [[String: Any]], _ place: String
    ) throws(CandidateMistake) {
        var parts: [CandidatePart] = []
        var end = 0.0
        var lastLeg = -1
        let departure = Self.startSeconds(legs[0])
        for (number, leg) in legs.enumerated() {
            let at = "\(place).legs[\(number)]"
            let kind = LegKind(leg["mode"] as? String ?? "")
            // A start that is given counts: between legs one may wait.
            let start = departure.flatMap { first in Self.startSeconds(leg).map { $0 - first } }
            guard let seconds = Self.number(leg["duration"]), seconds >= 0,
                seconds <= Self.longestSeconds
            else { throw CandidateMistake("\(at).duration", "is missing or no duration") }
            guard start.map({ $0 > -1 && $0 < 86_400 }) ?? true else {
                throw CandidateMistake(at, "begins before the first leg, or a day later")
            }
            let begin = max(end, start ?? end)
            end = begin + seconds
            let geometry = (leg["legGeometry"] ?? leg["pointsOnLink"]) as? [String: Any]
            guard let text = geometry?["points"] as? String, !text.isEmpty else {
                guard kind == .offRoad else {
                    throw CandidateMistake("\(at).legGeometry.points", "is missing")
                }
                continue
            }
            let points = try polyline(text, at, scale: 1e5)
            if kind != .offRoad, let last = parts.last, last.isOnDeck, number == lastLeg + 1 {
                try checkGap(last.line.points, points, at)
            }
            lastLeg = number
            parts.append(
                CandidatePart(
                    line: CandidateLine(points: points, seconds: seconds), startSeconds: begin,
                    isOnDeck: kind != .offRoad, mode: kind.mode))
        }
        guard end > 0 else { throw CandidateMistake("\(place).duration", "is missing") }
        guard SeattleArea.isNear(parts.flatMap(\.line.points)) else {
            throw CandidateMistake(place, "does not come near Seattle")
        }
        let names = legs.map { leg in
            let route = leg["routeShortName"] as? String ?? leg["route"] as? String
            return [leg["mode"] as? String ?? "", route ?? ""].filter { !$0.isEmpty }
                .joined(separator: " ")
        }
        let usual = legs.lazy.compactMap { LegKind($0["mode"] as? String ?? "").mode }
            .first { $0 != .walk }
        try add(parts, name: names.joined(separator: ", "), usual: usual ?? .walk, place)
    }

    /// Between two legs one walks across a street or a station, which their lines leave out; but not across water.
    private func checkGap(
        _ before: [GeoPoint], _ after: [GeoPoint], _ place: String
    ) throws(CandidateMistake) {
        guard let end = before.last, let start = after.first else { return }
        let gap = end.metres(to: start)
        let isOverWater = !BridgeDeck.crossings(of: [end, start]).isEmpty
        guard gap <= Self.widestTransferMetres, !isOverWater else {
            throw CandidateMistake(
                place, "begins \(Int(gap)) m from where the leg before it ends; legs must touch")
        }
    }

    private static let widestTransferMetres = 250.0

    /// When a leg begins: milliseconds since 1970, or a time with an offset, predicted rather than scheduled.
    private static func startSeconds(_ leg: [String: Any]) -> Double? {
        if let milliseconds = leg["startTime"] as? NSNumber {
            return milliseconds.doubleValue / 1000
        }
        let start = leg["start"] as? [String: Any]
        let estimated = (start?["estimated"] as? [String: Any])?["time"] as? String
        let text =
            estimated ?? start?["scheduledTime"] as? String ?? leg["expectedStartTime"] as? String
        return text.flatMap { try? TimeText.parse($0) }.map { Double($0.secondsSinceEpoch) }
    }
}
