// Times along the way of a run, scheduled and predicted.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite("Courses of runs")
struct RunCourseTests {
    private let ground = Ground()

    private func made() throws -> (feed: TransitFeed, run: RunKey, start: Int64) {
        let stops = [(0.0, 0, 36_000, 36_060), (600, 0, 36_160, 36_200), (1800, 0, 36_400, 36_400)]
        let trip = MadeTrip(
            id: "t", shape: [ground.point(0, 0), ground.point(1800, 0)],
            stops: stops.enumerated().map { order, stop in
                MadeTrip.Stop(
                    id: "s\(order)", point: ground.point(stop.0, Double(stop.1)), arrival: stop.2,
                    departure: stop.3)
            })
        let feed = try MadeFeed.feed([trip])
        let run = RunKey(
            trip: try #require(feed.trip("t")),
            date: try #require(CivilDate(year: 2019, month: 6, day: 23)))
        return (feed, run, feed.zone.serviceDayStart(run.date).secondsSinceEpoch)
    }

    @Test("a run goes evenly between stops and waits at them")
    func scheduled() throws {
        let (feed, run, start) = try made()
        let course = try #require(feed.scheduledCourse(of: run))
        func second(_ metres: Double) -> Int64 {
            course.time(atMetres: metres).secondsSinceEpoch - start
        }
        #expect(second(-5) == 36_060)
        #expect(second(300) == 36_110)
        #expect(second(1200) == 36_300)
        #expect(second(5000) == 36_400)
        func place(_ second: Int) -> Double {
            (course.metres(atSeconds: Double(start) + Double(second)) * 10).rounded() / 10
        }
        #expect(place(0) == 0)
        #expect(place(36_030) == 0)
        #expect(place(36_110) == 300)
        #expect(place(36_180) == 600)
        #expect(place(36_300) == 1200)
        #expect(place(90_000) == 1800)
    }

    @Test("times and positions are each other's inverse between stops")
    func inverse() throws {
        let (feed, run, _) = try made()
        let course = try #require(feed.scheduledCourse(of: run))
        for metres in stride(from: 50.0, to: 1800, by: 50) where metres != 600 {
            #expect(abs(course.metres(atSeconds: course.seconds(atMetres: metres)) - metres) < 1e-3)
        }
    }

    @Test("predicted times replace scheduled ones, and times never decrease")
    func predicted() throws {
        let (feed, run, start) = try made()
        let course = try #require(feed.scheduledCourse(of: run))
        var predictions = [StopPrediction](repeating: StopPrediction(), count: 3)
        predictions[1].departure = Timestamp(secondsSinceEpoch: start + 36_500)
        let late = course.predicted(by: predictions)
        // Five minutes late, it does not reach the last stop at once, though it has no prediction there.
        #expect(late.arrivals.map { $0 - Double(start) } == [36_000, 36_500, 36_700])
        #expect(late.departures.map { $0 - Double(start) } == [36_060, 36_500, 36_700])
        predictions[1].departure = nil
        predictions[1].arrival = Timestamp(secondsSinceEpoch: start + 36_020)
        let early = course.predicted(by: predictions)
        #expect(early.arrivals.map { $0 - Double(start) } == [36_000, 36_020, 36_400])
        #expect(early.departures.map { $0 - Double(start) } == [36_020, 36_020, 36_400])
        #expect(course.predicted(by: []).arrivals == course.arrivals)
    }

    @Test("a run of frequencies.txt counts from its own start")
    func frequencies() throws {
        let (feed, run, start) = try made()
        let later = RunKey(trip: run.trip, date: run.date, startSeconds: 50_000)
        let course = try #require(feed.scheduledCourse(of: later))
        #expect(course.departures.map { Int($0) - Int(start) } == [50_000, 50_140, 50_340])
    }
}
