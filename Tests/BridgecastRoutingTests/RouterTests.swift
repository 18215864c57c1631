// What route servers are asked, and what is made of their answers.
@testable import BridgecastRouting
import BridgecastCore
@testable import BridgecastRoads
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RouterTests {
    private static let fremont = DeckPassage(
        name: "Fremont Bridge", point: GeoPoint(latitude: 47.647602, longitude: -122.349731),
        bearing: 180)
    private static let locks = DeckPassage(
        name: "Ballard Locks walkway", point: GeoPoint(latitude: 47.6661, longitude: -122.3978),
        bearing: nil)

    private func trip(_ mode: Route.Mode = .car) -> RouterTrip {
        RouterTrip(
            from: "Ballard", GeoPoint(latitude: 47.6686, longitude: -122.3762), to: "Downtown",
            GeoPoint(latitude: 47.6099, longitude: -122.3378), mode: mode, ways: [])
    }

    private func address(
        _ router: String, _ way: [DeckPassage] = [], _ mode: Route.Mode = .car
    ) throws -> String {
        try #require(Router(router)).address(of: trip(mode), by: way)
    }

    @Test(arguments: ["", "osrm", "osrm=", "=http://x", "http://x", "graphhopper=http://x"])
    func otherNamesAreNoRouter(_ text: String) { #expect(Router(text) == nil) }

    @Test func osrmIsAskedForAlternativesOnTheDirectWay() throws {
        #expect(
            try address("osrm=http://host:5000")
                == "http://host:5000/route/v1/driving/-122.376200,47.668600;-122.337800,47.609900"
                + "?overview=full&geometries=polyline&steps=true&alternatives=true")
    }

    /// A prefix, the whole path up to the profile, and a key are kept; the profile follows the mode.
    @Test func osrmsAddressMayHoldMoreThanAHost() throws {
        for (url, begins) in [
            ("http://host/routed-bike/", "http://host/routed-bike/route/v1/cycling/-122."),
            ("http://host/route/v1", "http://host/route/v1/cycling/-122."),
            ("http://host/x/route/v1/mine", "http://host/x/route/v1/mine/-122."),
        ] {
            #expect(try address("osrm=\(url)", [], .bike).hasPrefix(begins))
        }
        #expect(try address("osrm=http://host?key=secret", [], .walk).hasSuffix("&key=secret"))
        #expect(Router("OSRM=http://me:word@host/p?key=secret")?.publicURL == "http://host/p")
    }

    @Test func osrmPassesDecksWithoutStoppingOrTurningRound() throws {
        let text = try address("osrm=http://host", [Self.fremont, Self.locks])
        #expect(text.contains(";-122.349731,47.647602;-122.397800,47.666100;"))
        #expect(text.contains("&continue_straight=true&waypoints=0;3&bearings=;180,45;;"))
        #expect(!text.contains("alternatives"))
    }

    private func valhalla(_ way: [DeckPassage], _ mode: Route.Mode) throws -> [String: Any] {
        let text = try address("valhalla=http://host/v", way, mode)
        #expect(text.hasPrefix("http://host/v/route?json="))
        let json = try #require(text.components(separatedBy: "json=").last?.removingPercentEncoding)
        return try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    @Test func valhallaPassesDecksAsThroughLocations() throws {
        let direct = try valhalla([], .bike)
        #expect(direct["costing"] as? String == "bicycle" && direct["alternates"] as? Int == 2)
        let by = try valhalla([Self.fremont], .walk)
        #expect(by["costing"] as? String == "pedestrian" && by["alternates"] == nil)
        let locations = try #require(by["locations"] as? [[String: Any]])
        #expect(locations.map { $0["type"] as? String } == ["break", "through", "break"])
        #expect(
            locations[1]["heading"] as? Int == 180
                && locations[1]["heading_tolerance"] as? Int == 45)
        #expect(locations[1]["lat"] as? Double == 47.647602)
    }

    @Test func aServersOwnWordsAreFound() {
        for (body, words) in [
            (#"{"code":"NoRoute","message":"Impossible route"}"#, "NoRoute: Impossible route"),
            (
                #"{"error_code":442,"error":"No path could be found","status_code":400}"#,
                "No path could be found (error 442)"
            ),
            (#"{"code":"Ok","routes":[]}"#, nil), ("<html>", nil), ("", nil),
        ] as [(String, String?)] {
            #expect(CandidateFile.refusal(in: Array(body.utf8)) == words)
        }
    }

    // MARK: Answers

    private func reply(_ routes: (minutes: Double, decks: [String])...) -> CandidateRoutes {
        CandidateRoutes(
            routes: routes.map { minutes, _ in
                Route(
                    id: "route 1", name: "", origin: "47.669,-122.376", destination: "", mode: .car,
                    steps: [.travel(Route.Travel(minutes: minutes))])
            }, notes: [], decks: routes.map(\.decks))
    }

    private func minutes(_ answers: RouterAnswers) throws -> [Double] {
        try answers.routes().routes.map { $0.meanTravelMinutes }
    }

    @Test func repeatedAndFarSlowerRoutesAreLeftOut() throws {
        var answers = RouterAnswers(trip())
        // The same decks: half a minute apart is the same way, two minutes is an alternative.
        answers.add(reply((20, ["Aurora"]), (20.5, ["Aurora"]), (22, ["Aurora"])), by: [])
        #expect(answers.quickestDecks == ["Aurora"])
        answers.add(reply((24, ["Aurora"])), by: [Self.fremont])
        answers.add(reply((21, ["Fremont"])), by: [Self.fremont])
        answers.add(reply((21, ["Ballard", "Fremont", "Ballard"])), by: [Self.fremont])
        answers.add(reply((40, ["University", "Fremont", "Montlake"])), by: [Self.locks])
        answers.add(reply((54.9, ["Montlake"])), by: [Self.locks])
        answers.add(reply((55.1, ["University"])), by: [Self.locks])
        #expect(try minutes(answers) == [20, 21, 22, 54.9])
        let routes = try answers.routes().routes
        #expect(routes.map(\.id) == ["route 1", "route 2", "route 3", "route 4"])
        #expect(routes.allSatisfy { $0.origin == "Ballard" && $0.destination == "Downtown" })
    }

    /// The Locks' walkway is no deck of ours; the bridges next to it stay.
    @Test func aQuickerWayOverNoDeckLeavesTheOthers() throws {
        var answers = RouterAnswers(trip(.walk))
        answers.add(reply((30, [])), by: [])
        answers.add(reply((35, ["Ballard"])), by: [Self.fremont])
        answers.add(reply((36, [])), by: [Self.locks])
        #expect(try minutes(answers) == [30, 35])
    }

    @Test func failuresAreANoteUntilNothingIsLeft() throws {
        let error = FeedError.declined(url: "http://host", code: 400, reason: "NoSegment")
        var answers = RouterAnswers(trip())
        answers.add(error, by: [Self.fremont])
        #expect(throws: error) { try answers.routes() }
        let worst = FeedError.declined(url: "http://host", code: 400, reason: "NoRoute")
        answers.add(worst, by: [])
        #expect(throws: worst) { try answers.routes() }
        answers.add(reply((20, [])), by: [Self.locks])
        let found = try answers.routes()
        #expect(found.requests == 3 && found.routes.count == 1)
        #expect(
            found.notes[0].hasPrefix(
                "2 of 3 requests failed (by Fremont Bridge, the direct way): "))
        #expect(found.notes[0].contains("NoSegment"))
        #expect(found.notes[0].contains(". The routes that were found are ranked. "))
        let failure = BatchRequestFailure(requests: ["a", "b"], count: 3, first: error)
        #expect(failure.isMadeGood && failure.recovery.contains(error.recovery))
        #expect(!BatchRequestFailure(requests: ["a"], count: 1, first: error).isMadeGood)
    }
}
