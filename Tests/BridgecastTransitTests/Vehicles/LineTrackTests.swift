// A vehicle followed along its line: the right pass, forwards, and what bad fixes do.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite("Vehicles followed along lines")
struct LineTrackTests {
    private let ground = Ground()

    private func line(_ corners: [(Double, Double)]) throws -> ShapeLine {
        try #require(ShapeLine(corners.map(ground.point)))
    }

    /// Matches fixes 30 s apart.
    private func follow(
        _ fixes: [(Double, Double)], on line: ShapeLine, bearings: [Double?] = [],
        startCost: (Double) -> Double = { _ in 0 }
    ) -> (places: [VehicleLocation], track: LineTrack) {
        var track = LineTrack()
        let places = fixes.enumerated().map { order, fix in
            track.match(
                VehicleFix(
                    point: ground.point(fix.0, fix.1), seconds: Double(order) * 30,
                    bearing: order < bearings.count ? bearings[order] : nil),
                to: line, maxMetresPerSecond: 32, startCost: startCost)
        }
        return (places, track)
    }

    @Test("out and back on one road: the way out is not taken for the way back")
    func outAndBack() throws {
        let line = try line([(0, 0), (3000, 0), (0, 0)])
        let out = stride(from: 100.0, to: 3000, by: 290)
        let back = stride(from: 2420.0, to: 0, by: -290)
        let fixes = (Array(out) + Array(back)).map { ($0, 4.0) }
        let expected = Array(out) + Array(back).map { 6000 - $0 }
        let (places, track) = follow(fixes, on: line)
        for (place, metres) in zip(places, expected) { #expect(abs(place.metres - metres) < 0.5) }
        #expect(track.jumps == 0)
        #expect(abs((places.first?.heading ?? 0) - 90) < 0.1)
        #expect(abs((places.last?.heading ?? 0) - 270) < 0.1)
    }

    @Test("a vehicle first seen on the way back is matched by its bearing")
    func bearing() throws {
        let line = try line([(0, 0), (3000, 0), (0, 0)])
        let (back, _) = follow([(1000, 0)], on: line, bearings: [275])
        #expect(abs(back[0].metres - 5000) < 0.5)
        let (out, _) = follow([(1000, 0)], on: line, bearings: [80])
        #expect(abs(out[0].metres - 1000) < 0.5)
    }

    @Test("a vehicle first seen on the way back is matched by the timetable")
    func timetable() throws {
        let line = try line([(0, 0), (3000, 0), (0, 0)])
        let (back, _) = follow([(1000, 0)], on: line, startCost: { abs($0 - 4900) / 500 })
        #expect(abs(back[0].metres - 5000) < 0.5)
    }

    @Test("a wrong first hypothesis is corrected by the next fix")
    func mended() throws {
        let line = try line([(0, 0), (3000, 0), (0, 0)])
        // The timetable speaks for the way out; the vehicle goes west.
        let (places, _) = follow(
            [(1000, 0), (700, 0), (400, 0)], on: line, startCost: { $0 < 3000 ? 0 : 2 })
        #expect(abs(places[0].metres - 1000) < 0.5)
        #expect(abs(places[1].metres - 5300) < 0.5)
        #expect(abs(places[2].metres - 5600) < 0.5)
    }

    @Test("a standing vehicle whose fixes wander stays where it is")
    func standing() throws {
        let line = try line([(0, 0), (3000, 0)])
        let (places, track) = follow(
            [(500, 0), (512, 9), (494, -8), (503, 3), (488, 0), (540, 0)], on: line)
        #expect(places.map { $0.metres.rounded() } == [500, 512, 512, 512, 512, 540])
        #expect(track.jumps == 0)
    }

    @Test(
        "a vehicle a little behind its position is moved back by a second fix"
    )
    func overshoot() throws {
        let line = try line([(0, 0), (3000, 0)])
        let (places, track) = follow([(500, 0), (800, 90), (690, 0), (690, 2), (692, 0)], on: line)
        #expect(places.map { $0.metres.rounded() } == [500, 800, 800, 690, 692])
        #expect(track.jumps == 1)
    }

    @Test("one fix on another road is off the route and changes nothing")
    func outlier() throws {
        let line = try line([(0, 0), (3000, 0)])
        let (places, track) = follow([(500, 0), (700, 400), (900, 0)], on: line)
        #expect(places[1].isOffRoute)
        #expect(places[1].point == ground.point(700, 400))
        #expect(abs(places[1].offMetres - 400) < 0.5)
        #expect(!places[2].isOffRoute)
        #expect(abs(places[2].metres - 900) < 0.5)
        #expect(track.jumps == 0)
    }

    @Test("a fix off the route is off it, even within the same second")
    func sameSecond() throws {
        let line = try line([(0, 0), (3000, 0)])
        var track = LineTrack()
        for (off, isOffRoute) in [(0.0, false), (400, true)] {
            let place = track.match(
                VehicleFix(point: ground.point(500, off), seconds: 1000), to: line,
                maxMetresPerSecond: 32)
            #expect(place.isOffRoute == isOffRoute)
        }
    }

    @Test("one fix far ahead on the line is ignored, two are not")
    func tooFast() throws {
        let line = try line([(0, 0), (30_000, 0)])
        let (places, _) = follow(
            [(500, 0), (20_000, 0), (800, 0), (20_000, 0), (20_300, 0), (20_600, 0)], on: line)
        #expect(places.map(\.isOffRoute) == [false, true, false, true, false, false])
        #expect(places[2].metres.rounded() == 800)
        #expect(places[4].metres.rounded() == 20_300)
    }

    @Test("against its line a vehicle is off its route until it goes forwards")
    func drivenBack() throws {
        let line = try line([(0, 0), (3000, 0)])
        let back = stride(from: 2000.0, through: 1000, by: -200).map { ($0, 0.0) }
        let (places, track) = follow(back + [(1200, 0), (1400, 0), (1600, 0)], on: line)
        #expect(places[1...5].allSatisfy { $0.isOffRoute && $0.metres.rounded() == 2000 })
        #expect(track.jumps == 1)
        #expect(places[8].metres.rounded() == 1600)
    }

    @Test("off the route is more than 150 m from it")
    func offRoute() throws {
        let line = try line([(0, 0), (3000, 0)])
        #expect(!follow([(500, 149)], on: line).places[0].isOffRoute)
        #expect(follow([(500, 151)], on: line).places[0].isOffRoute)
    }

    @Test("a vehicle starts at the beginning of a ring")
    func ring() throws {
        let line = try line([(0, 0), (1000, 0), (1000, 1000), (0, 1000), (0, 0)])
        let (places, _) = follow(
            [(5, 3), (200, 0), (500, 0), (800, 0), (1000, 100)], on: line,
            startCost: { $0 / 1000 })
        #expect(places.map { $0.metres.rounded() } == [5, 200, 500, 800, 1100])
    }
}
