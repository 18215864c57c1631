// Boards of the timetable alone: days, nights, days when clocks change, headways, ends of timetables.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite struct TimetableBoardTests {
    private let feed: TransitFeed
    init() throws { feed = try TextTimetable().feed() }

    private func snapshot(_ time: String, _ date: String = "2026-02-18") -> TransitSnapshot {
        TransitSnapshot(feed, asOf: TextTimetable.moment(time, date))
    }

    @Test func aBoardShowsTwoHoursInOrderAndNeitherArrivalsNorStopsWhereNobodyGetsOn() {
        #expect(
            snapshot("08:00").lines("A") == ["north-8 08:11", "south-8 08:25", "north-9 09:11"])
        #expect(snapshot("08:00").lines("B") == ["north-8 08:20", "north-9 09:20"])
        #expect(snapshot("08:00").lines("C") == ["south-8 08:05"])
    }

    @Test func arrivalsAreShownWhenAskedFor() {
        var query = BoardQuery()
        query.includesArrivals = true
        let board = snapshot("08:00").board("C", query)
        #expect(board.map(\.tripID) == ["south-8", "north-8", "north-9"])
        #expect(board.map(\.isLastStop) == [false, true, true])
        #expect(board[1].scheduledDeparture == nil && board[1].scheduledArrival != nil)
        #expect(snapshot("08:00").lines("B", query).contains("south-8 08:15"))
    }

    @Test func aStationShowsAllItsPlatformsAndAPlatformItself() {
        #expect(
            snapshot("08:00").lines("S") == ["north-8 08:00", "north-9 09:00", "shuttle 10:00"])
        #expect(snapshot("08:00").lines("S2") == ["shuttle 10:00"])
    }

    @Test func tripsAfterMidnightBelongToYesterday() {
        // The night bus of Wednesday leaves at 01:10 on Thursday.
        let board = snapshot("00:30", "2026-02-19").board("S1")
        #expect(board.map(\.tripID) == ["night"])
        #expect(board.first?.run?.date.description == "2026-02-18")
        #expect(board.first?.scheduledDeparture == TextTimetable.moment("01:10", "2026-02-19"))
        // The service's last day still has its night, the day after that has none.
        #expect(snapshot("00:30", "2027-01-01").lines("S1") == ["night 01:10"])
        #expect(snapshot("00:30", "2027-01-02").lines("S1").isEmpty)
    }

    @Test func stopTimesCountFromTwelveHoursBeforeNoonWhenClocksChange() {
        // 2026-03-08 has 23 hours, and its service day begins at 23:00 of the evening before; the 7th's began at midnight.
        #expect(snapshot("00:30", "2026-03-08").lines("S1") == ["night 01:10"])
        #expect(snapshot("10:00", "2026-03-08").lines("S2").first == "shuttle 10:00")
        // 2026-11-01 has 25 hours; its service day begins at 01:00 by the first of two such hours.
        #expect(snapshot("10:00", "2026-11-01").lines("S2").first == "shuttle 10:00")
        #expect(
            feed.zone.serviceDayStart(CivilDate(year: 2026, month: 3, day: 8)!)
                == TextTimetable.moment("23:00", "2026-03-07"))
    }

    @Test func exceptionsOfTheCalendarAreKept() {
        // 2026-05-25 is a Monday without weekday service.
        #expect(snapshot("08:00", "2026-05-25").lines("A") == [])
        #expect(snapshot("08:00", "2026-05-26").lines("A").count == 3)
        #expect(snapshot("08:00", "2026-05-23").lines("A") == [])
    }

    @Test func tripsByHeadwayRunEverySoOftenAndAreOnlyAboutRight() {
        let board = snapshot("10:15").board("A")
        #expect(
            board.map(\.run?.startSeconds) == [36_600, 37_200, 37_800, 38_400, 39_000])
        #expect(board.first?.scheduledDeparture == TextTimetable.moment("10:16"))
        #expect(board.first?.scheduledArrival == TextTimetable.moment("10:15"))
        #expect(board.allSatisfy { $0.isApproximate })
        // The one of 10:10 has left at 10:17; the last one starts before 11:00.
        #expect(snapshot("10:17").lines("A").first == "shuttle 10:26")
        #expect(snapshot("10:57").lines("A") == [])
    }

    @Test func limitsCountInAllAndByDirection() {
        var query = BoardQuery()
        query.limit = 2
        #expect(snapshot("08:00").lines("A", query) == ["north-8 08:11", "south-8 08:25"])
        (query.limit, query.limitPerDirection) = (nil, 1)
        #expect(snapshot("08:00").lines("A", query) == ["north-8 08:11", "south-8 08:25"])
        query.direction = 1
        #expect(snapshot("08:00").lines("A", query) == ["south-8 08:25"])
        query = BoardQuery()
        query.route = feed.route("F")
        #expect(snapshot("09:00").lines("A", query).allSatisfy { $0.hasPrefix("shuttle") })
        query.limit = -3
        #expect(snapshot("09:00").lines("A", query) == [])
    }

    @Test func theHorizonIsKept() {
        var query = BoardQuery()
        query.horizonSeconds = 11 * 60
        #expect(snapshot("08:00").lines("A", query) == ["north-8 08:11"])
        query.horizonSeconds = 11 * 60 - 1
        #expect(snapshot("08:00").lines("A", query) == [])
        query.horizonSeconds = .min
        #expect(snapshot("08:11").lines("A", query) == ["north-8 08:11"])
        query.horizonSeconds = .max
        #expect(snapshot("08:00").lines("A", query).count > 20)
    }

    @Test func anEmptyBoardSaysWhyNothingRuns() throws {
        let stop = try #require(feed.stop("A"))
        func words(_ date: String) -> String? { snapshot("12:00", date).board(of: stop).noService }
        #expect(words("2027-02-01") == "The timetable ended on 2026-12-31.")
        #expect(words("2025-06-01") == "The timetable starts on 2026-01-05.")
        // Something runs that day, though not now.
        #expect(words("2026-02-18") == nil)
    }

    @Test func theRunOfATripIsTheOneThatRunsElseTheNextOfTheDayElseTheLast() throws {
        func run(_ trip: String, _ time: String, _ date: String = "2026-02-18") throws -> String? {
            let index = try #require(feed.trip(trip))
            let found = snapshot(time, date).run(ofTrip: index)
            return found.map { "\($0.date) \($0.startSeconds ?? 0)" }
        }
        #expect(try run("north-8", "08:15") == "2026-02-18 0")
        #expect(try run("north-8", "05:00") == "2026-02-18 0")
        #expect(try run("north-8", "20:00") == "2026-02-18 0")
        // Saturday: the next is Monday's.
        #expect(try run("north-8", "12:00", "2026-02-21") == "2026-02-23 0")
        #expect(try run("night", "01:20", "2026-02-19") == "2026-02-18 0")
        #expect(try run("night", "02:20", "2026-02-19") == "2026-02-19 0")
        #expect(try run("shuttle", "10:15") == "2026-02-18 36600")
        #expect(try run("shuttle", "23:00") == "2026-02-18 39000")
        // After the timetable has ended: its last.
        #expect(try run("north-8", "12:00", "2027-03-01") == "2026-12-31 0")
    }

    @Test func theStopsOfARunAreAllItsStops() throws {
        let snapshot = snapshot("08:00")
        let trip = try #require(feed.trip("north-8"))
        let run = try #require(snapshot.run(ofTrip: trip))
        let stops = snapshot.stops(of: run)
        #expect(stops.map { feed[$0.stop].id } == ["S1", "A", "B", "C"])
        #expect(stops.map(\.stopOrder) == [0, 1, 2, 3])
        #expect(stops.last?.isLastStop == true && stops.last?.scheduledDeparture == nil)
    }

    @Test func theTimelineHasABoardEveryFiveMinutesAndNoneShowsWhatHasLeft() throws {
        let timeline = snapshot("08:00").timeline(of: try #require(feed.stop("A")))
        #expect(timeline.entries.count == 13)
        for (entry, next) in zip(timeline.entries, timeline.entries.dropFirst()) {
            #expect(entry.validUntil == next.board.asOf)
            #expect(next.board.asOf == entry.board.asOf.adding(seconds: 300))
        }
        for entry in timeline.entries {
            #expect(entry.board.departures.allSatisfy { $0.expected! >= entry.board.asOf })
        }
        // 08:11 has left by 08:15.
        #expect(timeline.entries[2].board.departures.first?.tripID == "north-8")
        #expect(timeline.entries[3].board.departures.first?.tripID == "south-8")
        #expect(timeline.validUntil == TextTimetable.moment("09:05"))
    }

    @Test func aBoardHoldsUntilItsFirstDepartureLeaves() throws {
        let stop = try #require(feed.stop("A"))
        let (early, late) = (snapshot("08:00").board(of: stop), snapshot("08:10").board(of: stop))
        #expect(early.validUntil == TextTimetable.moment("08:05"))
        #expect(late.validUntil == TextTimetable.moment("08:11").adding(seconds: 1))
    }

    @Test func directionsWithoutNamesAreCalledByTheirHeadsigns() throws {
        let stop = try #require(feed.stop("A"))
        #expect(feed.directionName(0, at: stop) == "Cedar")
        #expect(feed.directionName(1, at: stop) == "Central")
        #expect(feed.directionName(.max, at: stop) == nil)
    }

    @Test func wheelchairsNeedBothTheVehicleAndTheStop() {
        let snapshot = snapshot("08:00")
        #expect(snapshot.board("S1").first?.wheelchair == .accessible)
        #expect(snapshot.board("B").first?.wheelchair == .inaccessible)
        #expect(snapshot.board("C").first?.wheelchair == .unknown)
    }
}
