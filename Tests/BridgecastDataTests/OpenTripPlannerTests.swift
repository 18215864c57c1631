// OpenTripPlanner's itineraries as candidates: every interface, modes, waits, and legs that make no way.
import BridgecastCore
@testable import BridgecastData
import Testing

@Suite struct OpenTripPlannerTests: RouteServiceSuite {
    @Test func openTripPlannersItinerariesAreReadFromEveryInterface() throws {
        let transmodel = """
            {"data": {"trip": {"tripPatterns": [{"legs": [
              {"mode": "foot", "expectedStartTime": "2026-02-20T12:00:00-08:00", "duration": 240,
               "pointsOnLink": {"points": "\(encoded(Array(Self.line[0..<2])))"}},
              {"mode": "bus", "expectedStartTime": "2026-02-20T12:06:00-08:00", "duration": 400,
               "pointsOnLink": {"points": "\(encoded(Array(Self.line[1...])))"}}]}]}}}
            """
        let gtfs = """
            {"data": {"planConnection": {"routingErrors": [], "edges": [{"node": {"duration": 760, "legs": [
              {"mode": "WALK", "start": {"scheduledTime": "2026-02-20T12:00:00-08:00", "estimated": null}, "duration": 240.0,
               "legGeometry": {"points": "\(encoded(Array(Self.line[0..<2])))"}},
              {"mode": "BUS", "start": {"scheduledTime": "2026-02-20T12:01:00-08:00",
                "estimated": {"time": "2026-02-20T12:06:00-08:00", "delay": "PT5M"}}, "duration": 400.0,
               "legGeometry": {"points": "\(encoded(Array(Self.line[1...])))"}}]}}]}}}
            """
        for text in [
            "{\"plan\": {\"itineraries\": [\(itinerary)]}, \"requestParameters\": {}}",
            "{\"data\": {\"plan\": {\"itineraries\": [\(itinerary)]}}}", gtfs, transmodel,
        ] {
            let route = try read(text).routes[0]
            #expect(route.crossings == [fremont] && route.mode == .car)
            let times = minutes(route)
            // The bus leaves at 360 s and has passed a tenth of its way at the bridge.
            #expect(times[0] > 6 && times[0] < 7 && abs(times[0] + times[1] - 760.0 / 60) < 1e-9)
        }
    }

    @Test func aTrainIsNotOnTheBridgeAndAWalkDoesNotQueue() throws {
        func route(_ mode: String) throws -> Route {
            try read(
                "{\"plan\": {\"itineraries\": [{\"duration\": 600, \"legs\": [\(leg(mode, Self.line[...], 0, 600))]}]}}"
            ).routes[0]
        }
        #expect(try route("RAIL").crossings.isEmpty)
        #expect(try route("WALK").mode == .walk && route("WALK").crossings == [fremont])
        #expect(try route("BICYCLE").mode == .bike)
        #expect(try route("BUS").mode == .car && route("BUS").name == "BUS 40, Fremont Bridge")
    }

    @Test func aHoleBetweenLegsIsNoWay() throws {
        func reply(
            _ first: ArraySlice<(Double, Double)>, _ second: ArraySlice<(Double, Double)>
        ) -> String {
            "{\"plan\": {\"itineraries\": [{\"legs\": [\(leg("CAR", first, 0, 300)), \(leg("CAR", second, 300, 300))]}]}}"
        }
        #expect(try refusal(reply(Self.line[0..<2], Self.line[2...])).contains("legs must touch"))
        // Of a street's width, but over water.
        let north = [(47.6522, -122.3499), (47.6480, -122.3497)],
            south = [(47.6471, -122.3497), (47.6325, -122.3400)]
        #expect(try refusal(reply(north[...], south[...])).contains("legs must touch"))
        let good = try read(reply(Self.line[0..<2], Self.line[1...]))
        #expect(good.routes[0].crossings == [fremont])
        #expect(
            good.notes == ["plan.itineraries: all are ranked as if they left at the time asked for"]
        )
    }

    @Test func anEmptyEdgeCostsItselfOnly() throws {
        let candidates = try read(
            "{\"data\": {\"planConnection\": {\"edges\": [null, {\"node\": null}, {\"node\": \(itinerary)}]}}}"
        )
        #expect(candidates.routes.count == 1)
        #expect(
            candidates.notes.contains {
                $0.hasPrefix("data.planConnection.edges[1].node.legs: are missing")
            })
    }

    @Test func aLegWithoutADurationIsNoWay() throws {
        let leg = """
            {"mode": "BUS", "startTime": 1771617600000, "legGeometry": {"points": "\(encoded(Self.line))"}}
            """
        let words = try refusal(
            "{\"plan\": {\"itineraries\": [{\"duration\": 600, \"legs\": [\(leg)]}]}}")
        #expect(words.contains("plan.itineraries[0].legs[0].duration: is missing"), "\(words)")
    }
}
