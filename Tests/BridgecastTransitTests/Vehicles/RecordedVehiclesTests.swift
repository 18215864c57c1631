// Matching and predictions against recorded vehicles.
import BridgecastCore
import BridgecastRealtimeWire
import Foundation
import SwiftProtobuf
import Testing
@testable import BridgecastTransit

@Suite("Matching of recorded vehicles", .enabled(if: TransitSamples.areHere))
struct RecordedMatchingTests {
    private func follow(
        _ fixes: [VehicleFix], on line: ShapeLine
    ) -> (
        places: [VehicleLocation], track: LineTrack
    ) {
        var track = LineTrack()
        let places = fixes.map {
            // The timetable would tell as much: a trip is seen from its start on.
            track.match($0, to: line, maxMetresPerSecond: 32, startCost: { $0 / 1000 })
        }
        return (places, track)
    }

    @Test("the recording is complete")
    func recording() {
        #expect(RecordedVehicles.trips.count == 251)
        #expect(RecordedVehicles.trips.map(\.fixes.count).reduce(0, +) > 7_000)
    }

    @Test("a left-out fix is interpolated between its neighbours")
    func leftOut() throws {
        var checked = 0
        var wrong = 0
        var jumps = 0
        for trip in RecordedVehicles.trips where trip.fixes.count >= 20 {
            let kept = trip.fixes.indices.filter { $0 % 2 == 0 }.map { trip.fixes[$0] }
            guard let line = RecordedTrip.line(through: kept), line.length > 1000 else { continue }
            let (places, track) = follow(trip.fixes, on: line)
            jumps += track.jumps
            // Where the fixes of the line are along it, by their order alone.
            let known = metresByOrder(kept, on: line)
            for index in stride(from: 1, to: trip.fixes.count - 1, by: 2)
            where !places[index].isOffRoute {
                let low = known[index / 2]
                let high = known[index / 2 + 1]
                // Where it drove round a corner that the line cuts off, the line does not tell where it was.
                let cut = line.nearest(to: trip.fixes[index].point, within: low...high).offMetres
                guard cut < 60 else { continue }
                checked += 1
                if places[index].metres < low - 60 || places[index].metres > high + 60 {
                    wrong += 1
                }
            }
        }
        #expect(checked > 2_500)
        // A bus that is at a corner its line cuts off is a few tens of metres farther out.
        #expect(wrong <= checked / 500)
        #expect(jumps <= 20)
    }

    @Test("a bus on the line of another trip of its route goes forwards")
    func otherTrips() throws {
        var pairs = 0
        var fixes = 0
        var back = 0
        for (line, trip) in Self.pairs {
            let (places, track) = follow(trip.fixes, on: line)
            pairs += 1
            fixes += places.count
            let steps = zip(places, places.dropFirst()).filter { $1.metres < $0.metres }.count
            #expect(steps <= track.jumps)
            back += steps
        }
        #expect(pairs > 100 && fixes > 5_000)
        #expect(back < fixes / 300)
    }

    /// Trips with lines of others of their route, near which four in five of their fixes are.
    static let pairs: [(line: ShapeLine, trip: RecordedTrip)] = namedPairs.map {
        ($0.line, $0.trip)
    }

    private static let namedPairs: [(of: String, line: ShapeLine, trip: RecordedTrip)] = {
        var pairs: [(String, ShapeLine, RecordedTrip)] = []
        for other in RecordedVehicles.trips where other.fixes.count >= 20 {
            guard let line = RecordedTrip.line(through: other.fixes), line.length > 2000 else {
                continue
            }
            for trip in RecordedVehicles.trips
            where trip.route == other.route && trip.id != other.id && trip.fixes.count >= 10 {
                let near = trip.fixes.filter { !line.approaches(to: $0.point, within: 60).isEmpty }
                guard 5 * near.count >= 4 * trip.fixes.count, goesForwards(trip, on: line) else {
                    continue
                }
                pairs.append((other.id, line, trip))
            }
        }
        return pairs
    }()

    /// Whether four in five of a trip's steps go the way of a line: routes have two directions and one name.
    private static func goesForwards(_ trip: RecordedTrip, on line: ShapeLine) -> Bool {
        let places = trip.fixes.map { line.nearest(to: $0.point, within: 0...line.length).metres }
        let steps = zip(places, places.dropFirst()).filter { abs($1 - $0) > 100 }
        return 5 * steps.filter { $1 > $0 }.count >= 4 * max(1, steps.count)
    }

    /// For `tools/checks/transit/matching.py`, which searches slowly and exactly: what was found, a line of JSON a
    /// pair.
    @Test(
        "the results are written for the slow search",
        .enabled(if: ProcessInfo.processInfo.environment["BRIDGECAST_MATCHING"] != nil))
    func written() throws {
        var text = ""
        for (other, line, trip) in Self.namedPairs {
            let (places, _) = follow(trip.fixes, on: line)
            let metres = places.map { "\(($0.metres * 100).rounded() / 100)" }
            let off = places.map { $0.isOffRoute ? "1" : "0" }
            text += """
                {"line":"\(other)","trip":"\(trip.id)","metres":[\(metres.joined(separator: ","))],\
                "off_route":[\(off.joined(separator: ","))]}

                """
        }
        let path = try #require(ProcessInfo.processInfo.environment["BRIDGECAST_MATCHING"])
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Metres along the line through these fixes of each of them.
    private func metresByOrder(_ fixes: [VehicleFix], on line: ShapeLine) -> [Double] {
        var piece = 0
        var last = fixes[0].point
        return fixes.map { fix in
            if fix.point.metres(to: last) >= 10 { (piece, last) = (piece + 1, fix.point) }
            return line.metres[min(piece, line.metres.count - 1)]
        }
    }
}

@Suite("Predictions of recorded vehicles", .enabled(if: TransitSamples.areHere))
struct RecordedPredictionTests {
    @Test("our predictions are better than the timetable")
    func scores() throws {
        let afternoon = try RecordedAfternoon()
        let scores = try afternoon.scored()
        let own = try #require(scores.own.meanAbsoluteSeconds)
        let timetable = try #require(scores.timetable.meanAbsoluteSeconds)
        #expect(scores.own.count > 300 && scores.own.count == scores.theirs.count)
        let feed = try #require(scores.theirs.meanAbsoluteSeconds)
        // Seconds, as measured: ours 118, the feed's 98, the timetable's 151.
        #expect(own < 0.85 * timetable && own < 130)
        #expect(feed < own)
        // The spread that is claimed, one standard deviation, holds about two of three.
        #expect((0.5...0.9).contains(Double(scores.within) / Double(scores.own.count)))
    }
}

/// The afternoon as a feed of the trips whose timetable and stops could be derived.
struct RecordedAfternoon {
    private var trips: [String: RecordedTrip] = [:]
    /// By trip, its timetable: stops with times, in order.
    private var timetables: [String: [(stop: String, seconds: Double)]] = [:]
    /// By stop, where buses were when they were predicted there, and on which trip.
    private var sightings: [String: [(trip: String, point: GeoPoint)]] = [:]
    private let updates = RecordedVehicles.messages("TripUpdates")

    init() throws {
        for trip in RecordedVehicles.trips { trips[trip.id] = trip }
        for message in updates {
            let made = Double(message.header.timestamp)
            for update in message.entity.map(\.tripUpdate) {
                let id = update.trip.tripID
                guard let trip = trips[id], let first = trip.fixes.first else { continue }
                if first.seconds > made {
                    note(timetable: update, of: id)
                } else {
                    note(sightings: update, of: trip)
                }
            }
        }
    }

    private mutating func note(timetable update: TransitRealtime_TripUpdate, of id: String) {
        guard timetables[id] == nil, update.stopTimeUpdate.first?.stopSequence == 1 else { return }
        timetables[id] = update.stopTimeUpdate.map { ($0.stopID, Double($0.departure.time)) }
    }

    private mutating func note(
        sightings update: TransitRealtime_TripUpdate, of trip: RecordedTrip
    ) {
        for stop in update.stopTimeUpdate {
            guard let point = trip.point(at: Double(stop.arrival.time)) else { continue }
            sightings[stop.stopID, default: []].append((trip.id, point))
        }
    }

    /// Where a stop is, by buses of other trips; nil if none was seen there.
    private func place(of stop: String, notBy trip: String) -> GeoPoint? {
        let points = (sightings[stop] ?? []).filter { $0.trip != trip }.map(\.point)
        guard !points.isEmpty else { return nil }
        let latitudes = points.map(\.latitude).sorted()
        let longitudes = points.map(\.longitude).sorted()
        return GeoPoint(
            latitude: latitudes[latitudes.count / 2], longitude: longitudes[longitudes.count / 2])
    }

    /// Errors of the three for every stop that an update of a bus under way speaks of.
    func scored() throws -> RecordedScores {
        let zone = try #require(TransitZone("America/Regina"))
        let date = try #require(CivilDate(year: 2019, month: 6, day: 23))
        let midnight = Double(zone.serviceDayStart(date).secondsSinceEpoch)
        let usable = timetables.keys.sorted().compactMap { made($0, midnight: midnight) }
        var scores = RecordedScores(
            feed: try MadeFeed.feed(usable), date: date,
            trips: usable.compactMap { trips[$0.id] })
        for message in updates {
            let issued = Double(message.header.timestamp)
            try scores.see(until: issued)
            for update in message.entity.map(\.tripUpdate) { scores.score(update, issued: issued) }
        }
        return scores
    }

    private func made(_ id: String, midnight: Double) -> MadeTrip? {
        guard let trip = trips[id], let timetable = timetables[id], trip.fixes.count >= 10,
            let line = RecordedTrip.line(through: trip.fixes), line.length > 1000
        else { return nil }
        let stops = timetable.compactMap { entry -> MadeTrip.Stop? in
            guard let point = place(of: entry.stop, notBy: id),
                !line.approaches(to: point, within: 300).isEmpty
            else { return nil }
            let seconds = Int(entry.seconds - midnight)
            return MadeTrip.Stop(id: entry.stop, point: point, arrival: seconds, departure: seconds)
        }
        guard stops.count >= 3 else { return nil }
        let shape = zip(line.latitudes, line.longitudes).map {
            GeoPoint(latitude: $0, longitude: $1)
        }
        return MadeTrip(id: id, route: trip.route, shape: shape, stops: stops)
    }
}

extension VehicleReport {
    /// A report of a place alone.
    init(at point: GeoPoint) {
        self.init()
        latitude = Float(point.latitude)
        longitude = Float(point.longitude)
    }
}

extension RecordedTrip {
    /// Where its bus was at a time; nil where it was not seen for a minute and a half.
    func point(at seconds: Double) -> GeoPoint? {
        guard let next = fixes.firstIndex(where: { $0.seconds >= seconds }) else { return nil }
        guard next > 0 else { return fixes[0].seconds == seconds ? fixes[0].point : nil }
        let before = fixes[next - 1]
        let after = fixes[next]
        guard after.seconds - before.seconds <= 90 else { return nil }
        let share = (seconds - before.seconds) / (after.seconds - before.seconds)
        return GeoPoint(
            latitude: before.point.latitude + share
                * (after.point.latitude - before.point.latitude),
            longitude: before.point.longitude
                + share * (after.point.longitude - before.point.longitude))
    }

    /// When it passed a place along the line through all of its own fixes; nil if it was never seen past it.
    func seconds(passing metres: Double, on line: ShapeLine) -> Double? {
        var reached = 0.0
        var last = fixes[0].point
        var before = fixes[0].seconds
        for fix in fixes.dropFirst() {
            let step = last.metres(to: fix.point)
            guard step >= 10 else {
                before = fix.seconds
                continue
            }
            if reached + step >= metres {
                return before + max(0, metres - reached) / step * (fix.seconds - before)
            }
            reached = reached + step
            last = fix.point
            before = fix.seconds
        }
        return nil
    }
}

/// The afternoon played fix by fix, and what was predicted scored by what came.
struct RecordedScores {
    private(set) var own = PredictionScore()
    private(set) var theirs = PredictionScore()
    private(set) var timetable = PredictionScore()
    /// How many of ours were no farther off than the spread claimed.
    private(set) var within = 0
    private(set) var tracker = VehicleTracker()

    private let feed: TransitFeed
    private let date: CivilDate
    private let trips: [String: RecordedTrip]
    private let events: [(trip: String, fix: VehicleFix)]
    private var next = 0
    private var places: [String: (place: VehicleLocation, seenAt: Timestamp)] = [:]

    init(feed: TransitFeed, date: CivilDate, trips: [RecordedTrip]) {
        self.feed = feed
        self.date = date
        self.trips = Dictionary(trips.map { ($0.id, $0) }) { first, _ in first }
        events = trips.flatMap { trip in trip.fixes.map { (trip.id, $0) } }
            .sorted { ($0.1.seconds, $0.0) < ($1.1.seconds, $1.0) }
    }

    /// Takes all fixes up to a time.
    mutating func see(until time: Double) throws {
        while next < events.count, events[next].fix.seconds <= time {
            let (id, fix) = events[next]
            next += 1
            let seenAt = Timestamp(secondsSinceEpoch: Int64(fix.seconds))
            let run = RunKey(trip: try #require(feed.trip(id)), date: date)
            let place = tracker.match(
                VehicleReport(at: fix.point), vehicle: id, on: run, seenAt: seenAt, in: feed)
            if let place { places[id] = (place, seenAt) }
        }
    }

    /// Scores the stops of an update, if its bus was seen in the two minutes before.
    mutating func score(_ update: TransitRealtime_TripUpdate, issued: Double) {
        guard let trip = feed.trip(update.trip.tripID), let recorded = trips[update.trip.tripID],
            let (place, seenAt) = places[update.trip.tripID],
            issued - Double(seenAt.secondsSinceEpoch) < 120
        else { return }
        let run = RunKey(trip: trip, date: date)
        let ours = tracker.predictions(for: run, from: place, seenAt: seenAt, in: feed)
        guard let course = feed.scheduledCourse(of: run), ours.count == course.arrivals.count else {
            return
        }
        for (order, row) in feed.stopTimes.rows(of: trip).enumerated() {
            let stop = feed.stops.ids[Int(feed.stopTimes.stops[row])]
            let metres = course.geometry.stopMetres[order]
            // What is nearer in time says little of predictions.
            guard let said = update.stopTimeUpdate.first(where: { $0.stopID == stop }),
                Double(said.arrival.time) - issued > 240,
                let came = recorded.seconds(passing: metres, on: course.geometry.line)
            else { continue }
            add(ours[order], came: came)
            theirs.add(errorSeconds: came - Double(said.arrival.time))
            timetable.add(errorSeconds: came - course.arrivals[order])
        }
    }

    private mutating func add(_ prediction: StopPrediction, came: Double) {
        guard let arrival = prediction.arrival else { return }
        let error = came - Double(arrival.secondsSinceEpoch)
        own.add(errorSeconds: error)
        if abs(error) <= prediction.spreadSeconds ?? 0 { within += 1 }
    }
}

/// One trip as its vehicle was seen.
struct RecordedTrip {
    var id: String
    var route: String
    /// Distinct fixes in order of time.
    var fixes: [VehicleFix] = []

    /// A line through fixes that are at least 10 m apart.
    static func line(through fixes: some Sequence<VehicleFix>) -> ShapeLine? {
        var points: [GeoPoint] = []
        for fix in fixes {
            if let last = points.last, last.metres(to: fix.point) < 10 { continue }
            points.append(fix.point)
        }
        return ShapeLine(points)
    }
}

enum RecordedVehicles {
    /// All trips of the recording by identifier, each with the fixes of its one vehicle.
    static let trips: [RecordedTrip] = {
        var trips: [String: RecordedTrip] = [:]
        for message in messages("VehiclePosition") {
            for vehicle in message.entity.map(\.vehicle) {
                let id = vehicle.trip.tripID
                let seconds = Double(vehicle.timestamp)
                let fix = VehicleFix(
                    point: GeoPoint(
                        latitude: Double(vehicle.position.latitude),
                        longitude: Double(vehicle.position.longitude)), seconds: seconds)
                var trip = trips[id] ?? RecordedTrip(id: id, route: vehicle.trip.routeID)
                if trip.fixes.allSatisfy({ $0.seconds < seconds }) { trip.fixes.append(fix) }
                trips[id] = trip
            }
        }
        return trips.values.sorted { $0.id < $1.id }
    }()

    /// All messages of a kind, in order of time.
    static func messages(_ kind: String) -> [TransitRealtime_FeedMessage] {
        let folder = TransitSamples.url("saskatoon")
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.hasPrefix(kind) && $0.hasSuffix(".pb") }.sorted()
        return names.compactMap { name in
            try? TransitRealtime_FeedMessage(
                serializedBytes: Data(contentsOf: folder.appendingPathComponent(name)))
        }
    }
}
