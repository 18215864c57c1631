// A set of routes before it is scored: what is packed into one stretch, and what is no route.
import BridgecastCore
@testable import BridgecastEngine
import Testing

@Suite struct RouteScoringSetTests: ScoresRoutes {
    @Test func theLongestRouteThereCanBeIsTaken() throws {
        let longest = RouteSet.longestMinutes
        let set = try RouteSet([route("whole", [travel(longest, 0)])])
        #expect(set.reachMinutes == 0)
        _ = try RouteSet([
            route("parts", [travel(longest / 2, 0), .crossing(fremont), travel(longest / 2, 0)])
        ])
        #expect(throws: RouteSetError.self) {
            try RouteSet([route("more", [travel(longest, 0), .crossing(fremont), travel(1, 0)])])
        }
    }

    @Test func stretchesInARowAreOne() throws {
        let parts = try score(
            route("parts", [travel(4, 0.9), travel(6, 1.2), .crossing(fremont)]),
            leaving: Self.issueTime)
        let whole = try score(
            route("whole", [travel(10, 1.5), .crossing(fremont)]), leaving: Self.issueTime)
        #expect(parts.figures == whole.figures)
    }

    @Test(arguments: [
        (Double.nan, 1.0), (5, .nan), (-1, 0), (5, -0.1), (.infinity, 1), (5, .infinity),
        (2_000, 1),
    ])
    func aStretchThatIsNoDurationIsRefused(_ stretch: (Double, Double)) {
        #expect(throws: RouteSetError.self) {
            try RouteSet([route("bad", [.crossing(fremont), travel(stretch.0, stretch.1)])])
        }
    }
}
