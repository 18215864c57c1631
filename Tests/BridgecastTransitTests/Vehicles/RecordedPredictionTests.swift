// Predictions of a recorded afternoon scored against when buses came: ours, the feed's, and the timetable's.
//
// The recording has no timetable and no places of stops. Before a trip starts, the feed's predictions are its
// timetable. A stop is where buses of other trips were at the moments predicted for it while they were under way, the
// median of them: a hundred metres or two off, which is half a minute for a bus, and the same for all three. A bus
// came when it passed that place along its own fixes.
import BridgecastCore
import BridgecastRealtimeWire
import Foundation
import Testing

@testable import BridgecastTransit

@Suite("Predictions of recorded vehicles", .enabled(if: TransitSamples.areHere))
struct RecordedPredictionTests {
    @Test("ours are nearer to what happened than the timetable")
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

/// The afternoon as a feed of the trips whose timetable and stops could be told.
struct RecordedAfternoon {
    private var trips: [String: RecordedTrip] = [:]
    /// By trip, its timetable: stops with moments, in order.
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
        (latitude, longitude) = (Float(point.latitude), Float(point.longitude))
    }
}

extension RecordedTrip {
    /// Where its bus was at a moment; nil where it was not seen for a minute and a half.
    func point(at seconds: Double) -> GeoPoint? {
        guard let next = fixes.firstIndex(where: { $0.seconds >= seconds }) else { return nil }
        guard next > 0 else { return fixes[0].seconds == seconds ? fixes[0].point : nil }
        let (before, after) = (fixes[next - 1], fixes[next])
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
        var (reached, last, before) = (0.0, fixes[0].point, fixes[0].seconds)
        for fix in fixes.dropFirst() {
            let step = last.metres(to: fix.point)
            guard step >= 10 else {
                before = fix.seconds
                continue
            }
            if reached + step >= metres {
                return before + max(0, metres - reached) / step * (fix.seconds - before)
            }
            (reached, last, before) = (reached + step, fix.point, fix.seconds)
        }
        return nil
    }
}
