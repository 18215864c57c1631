// Vehicles between two fixes: as fast as their times imply, never beyond them, never back.
import BridgecastCore
import BridgecastTestSupport
import Testing

@testable import BridgecastTransit

@Suite("Dead reckoning")
struct DeadReckoningTests {
    private let ground = Ground()

    private func course(_ arrivals: [Double], _ departures: [Double]) throws -> RunCourse {
        let line = try #require(ShapeLine([(0, 0), (3000, 0)].map(ground.point)))
        let geometry = RunGeometry(line: line, stopMetres: [0, 1000, 3000], isShape: true)
        return RunCourse(geometry: geometry, arrivals: arrivals, departures: departures)
    }

    private func places(
        _ course: RunCourse, from metres: Double, seen: Double, at moments: [Double]
    ) -> [Double] {
        moments.map {
            DeadReckoning(course: course, mostMetresPerSecond: 32)
                .place(from: metres, seen: seen, at: $0).metres.rounded()
        }
    }

    @Test("it comes to its next stop when predicted, and leaves when predicted")
    func asPredicted() throws {
        let course = try course([0, 200, 400], [0, 240, 400])
        #expect(
            places(course, from: 500, seen: 100, at: [90, 100, 150, 200, 239, 250, 320, 400, 500])
                == [500, 500, 750, 1000, 1000, 1125, 2000, 3000, 3000])
    }

    @Test("no faster than such vehicles go, however soon the stop is predicted")
    func bounded() throws {
        let course = try course([0, 110, 400], [0, 110, 400])
        #expect(places(course, from: 500, seen: 100, at: [110]) == [820])
    }

    @Test("behind its times it goes as the timetable would have it go there")
    func behind() throws {
        let course = try course([0, 100, 300], [0, 100, 300])
        // Ten metres a second, from where it was seen though it should long be at the stop.
        #expect(places(course, from: 500, seen: 150, at: [170, 200, 250]) == [700, 1000, 1500])
    }

    @Test("at a stop it waits for its time")
    func waiting() throws {
        let course = try course([0, 100, 300], [0, 180, 300])
        #expect(places(course, from: 1005, seen: 120, at: [150, 180, 240]) == [1005, 1005, 2003])
    }

    @Test(
        "in the yard where its trip begins it waits for the time to leave, and farther on it drives"
    )
    func yard() throws {
        let course = try course([600, 700, 900], [600, 700, 900])
        #expect(places(course, from: 200, seen: 500, at: [550, 600, 650]) == [200, 200, 600])
        let early = places(course, from: 400, seen: 500, at: [550, 600])
        #expect(early == [550, 700])
    }

    @Test("five minutes after the fix it stays where it was thought to be")
    func bounded5Minutes() throws {
        let course = try course([0, 1000, 3000], [0, 1000, 3000])
        let far = places(course, from: 100, seen: 100, at: [400, 401, 900, 1e9])
        #expect(far == [400, 400, 400, 400])
        #expect(
            DeadReckoning(course: course, mostMetresPerSecond: 32)
                .place(from: 100, seen: 100, at: 900).metresPerSecond == 0)
    }

    @Test("it never goes back, nor past a stop before it is predicted there, nor too fast")
    func never() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let a = Double.random(in: 0...400, using: &random)
            let b = a + .random(in: 0...100, using: &random)
            let c = b + .random(in: 0...400, using: &random)
            let course = try course([0, a, c], [0, b, c])
            let start = Double.random(in: 0...3000, using: &random)
            let seen = Double.random(in: 0...500, using: &random)
            var before = start
            for moment in stride(from: seen, to: seen + 320, by: 7) {
                let place = DeadReckoning(course: course, mostMetresPerSecond: 32)
                    .place(from: start, seen: seen, at: moment).metres
                #expect(place >= before && place <= before + 7 * 32 + 0.001)
                for (stop, arrival) in zip(course.geometry.stopMetres, course.arrivals)
                where stop > start + 1 && arrival > moment {
                    #expect(place <= stop + 0.001)
                }
                before = place
            }
        }
    }
}
