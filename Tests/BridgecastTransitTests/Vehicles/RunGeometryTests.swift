// Where stops are on shapes: by the feed's distances where they can be believed, else by nearness in order.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite("Stops on shapes")
struct StopPlacingTests {
    private let ground = Ground()

    private func stop(
        _ id: String, _ east: Double, _ north: Double, at time: Int = 0, distance: Float = .nan
    ) -> MadeTrip.Stop {
        MadeTrip.Stop(
            id: id, point: ground.point(east, north), arrival: time, departure: time,
            distance: distance)
    }

    private func metres(_ trip: MadeTrip) throws -> [Double] {
        let feed = try MadeFeed.feed([trip])
        let index = try #require(feed.trip(trip.id))
        let geometry = try #require(feed.geometry(of: index))
        return geometry.stopMetres.map { ($0 * 10).rounded() / 10 }
    }

    @Test("distances in feet become metres along the line")
    func feet() throws {
        let feet: Float = 3.28084
        let trip = MadeTrip(
            id: "t", shape: [(0, 0), (500, 0), (1000, 0)].map(ground.point),
            distances: [0, 500 * feet, 1000 * feet],
            stops: [
                // Next to the line, with its position along it.
                stop("a", 10, 20, distance: 0), stop("b", 260, 20, distance: 250 * feet),
                stop("c", 1000, 20, distance: 1000.4 * feet),
            ])
        #expect(try metres(trip) == [0, 250, 1000])
    }

    @Test("distances that put a stop far from its location are rejected", arguments: [0, 1, 2])
    func unsound(_ fault: Int) throws {
        var trip = MadeTrip(
            id: "t", shape: [(0, 0), (1000, 0), (2000, 0)].map(ground.point),
            distances: [0, 1, 2],
            stops: [
                stop("a", 0, 0, distance: 0), stop("b", 600, 0, distance: 0.6),
                stop("c", 2000, 0, distance: 2),
            ])
        switch fault {
        case 0: trip.stops[1].distance = 1.6
        case 1: trip.stops[1].distance = .nan
        default: trip.distances = [0, 2, 1]
        }
        #expect(try metres(trip) == [0, 600, 2000])
    }

    @Test("a line that returns passes its stops in order")
    func outAndBack() throws {
        let trip = MadeTrip(
            id: "t", shape: [(0, 0), (1000, 0), (0, 0)].map(ground.point),
            stops: [
                stop("a", 0, 5), stop("b", 400, 5), stop("c", 1000, 5), stop("d", 400, -5),
                stop("a", 0, 5),
            ])
        #expect(try metres(trip) == [0, 400, 1000, 1600, 2000])
    }

    @Test("a ring of two calls at one stop begins and ends there")
    func ring() throws {
        let trip = MadeTrip(
            id: "t", shape: [(0, 0), (500, 0), (500, 500), (0, 500), (0, 0)].map(ground.point),
            stops: [stop("a", 0, 0), stop("a", 0, 0)])
        #expect(try metres(trip) == [0, 2000])
    }

    @Test("a stop on the way out is not matched to a slightly nearer way back")
    func orderWins() throws {
        let trip = MadeTrip(
            id: "t", shape: [(0, 0), (1000, 0), (1000, 20), (0, 20)].map(ground.point),
            stops: [
                stop("a", 0, 0), stop("b", 300, 12), stop("c", 700, 0), stop("d", 0, 20),
            ])
        #expect(try metres(trip) == [0, 300, 700, 2020])
    }

    @Test("without a usable shape the line goes from stop to stop")
    func straight() throws {
        for shape in [[], [ground.point(9, 9)], [ground.point(9, 9), ground.point(9, 9)]] {
            let trip = MadeTrip(
                id: "t", shape: shape,
                stops: [
                    stop("a", 0, 0),
                    MadeTrip.Stop(id: "nowhere", point: nil, arrival: 0, departure: 0),
                    stop("c", 300, 400), stop("d", 300, 0),
                ])
            #expect(try metres(trip) == [0, 250, 500, 900])
        }
    }

    @Test("a trip whose stops have no locations has no path")
    func noWay() throws {
        let trip = MadeTrip(
            id: "t", stops: [MadeTrip.Stop(id: "x", point: nil, arrival: 0, departure: 0)])
        let feed = try MadeFeed.feed([trip])
        let index = try #require(feed.trip("t"))
        #expect(feed.geometry(of: index) == nil)
    }

    @Test("sequential placing gives the same if nothing is ambiguous")
    func longTripsInTurn() throws {
        let line = try #require(ShapeLine([(0, 0), (1000, 0), (1000, 800)].map(ground.point)))
        let stops = [(10.0, 3.0), (400, -3), (990, 5), (1004, 700)].map(ground.point)
        let best = StopPlacing.metres(on: line, stops: stops)
        let sequential = StopPlacing.sequential(on: line, stops)
        #expect(zip(best, sequential).allSatisfy { abs($0 - $1) < 0.01 })
    }
}
