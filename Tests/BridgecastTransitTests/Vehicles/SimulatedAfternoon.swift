// An afternoon of buses whose true positions are known: the shipped timetable driven with delays, stops at red lights
// and errors of satellite positions, reported every 30 seconds.
import BridgecastCore
import BridgecastRealtimeWire
import BridgecastTestSupport
import Foundation
import SwiftProtobuf

@testable import BridgecastTransit

/// A trip as its bus drove it, and as it was reported.
struct SimulatedTrip {
    let run: RunKey
    let id: String
    let route: String
    let shape: ShapeIndex
    /// What the bus reported, in order of time.
    var fixes: [VehicleFix] = []
    /// Where it was along its shape at each of them, metres.
    var trueMetres: [Double] = []
    /// When it came to each stop, seconds since 1970.
    var arrivals: [Double] = []
}

/// Thursday, 4 January 2018, 14:00 to 17:00, on the shipped timetable.
struct SimulatedAfternoon {
    let feed: TransitFeed
    let date = CivilDate(dayNumber: 17_535)
    private(set) var trips: [SimulatedTrip] = []

    static let reportSeconds = 30.0
    /// The same afternoon for all tests.
    static let shared = Result { try SimulatedAfternoon() }

    init() throws {
        feed = try TransitSamples.soundTransit.get()
        let midnight = Double(feed.zone.serviceDayStart(date).secondsSinceEpoch)
        let window = (midnight + 14 * 3600)...(midnight + 17 * 3600)
        for row in 0..<feed.trips.count {
            let trip = TripIndex(row)
            guard feed.services.isActive(feed[trip].service, on: date),
                let course = feed.scheduledCourse(of: RunKey(trip: trip, date: date)),
                window.contains(course.departures[0]), let shape = feed[trip].shape
            else { continue }
            var drive = SimulatedDrive(course, seed: UInt64(row))
            var made = SimulatedTrip(
                run: RunKey(trip: trip, date: date), id: feed[trip].id,
                route: feed[feed[trip].route].id, shape: shape)
            drive.run(into: &made)
            trips.append(made)
        }
    }

    /// The reports of all buses as realtime messages, one for every 30 seconds.
    func messages() -> [(seconds: Int, message: TransitRealtime_FeedMessage)] {
        var entities: [Int: [TransitRealtime_FeedEntity]] = [:]
        for trip in trips {
            for fix in trip.fixes {
                entities[Int(fix.seconds), default: []].append(entity(trip, fix))
            }
        }
        return entities.sorted { $0.key < $1.key }.map { seconds, entities in
            var message = TransitRealtime_FeedMessage()
            message.header.gtfsRealtimeVersion = "2.0"
            message.header.timestamp = UInt64(seconds)
            message.entity = entities
            return (seconds, message)
        }
    }

    private func entity(_ trip: SimulatedTrip, _ fix: VehicleFix) -> TransitRealtime_FeedEntity {
        var entity = TransitRealtime_FeedEntity()
        entity.id = trip.id
        entity.vehicle.trip.tripID = trip.id
        entity.vehicle.trip.routeID = trip.route
        entity.vehicle.timestamp = UInt64(fix.seconds)
        entity.vehicle.position.latitude = Float(fix.point.latitude)
        entity.vehicle.position.longitude = Float(fix.point.longitude)
        return entity
    }

    /// Writes the messages into a folder, as recorders do: a file for each.
    func write(to folder: URL) throws {
        for (seconds, message) in messages() {
            let bytes: Data = try message.serializedBytes()
            try bytes.write(to: folder.appendingPathComponent("VehiclePosition\(seconds).pb"))
        }
    }
}

/// A bus on its way, second by second.
private struct SimulatedDrive {
    private let course: RunCourse
    private var random: SeededGenerator

    init(_ course: RunCourse, seed: UInt64) {
        self.course = course
        random = SeededGenerator(seed: seed)
    }

    /// Drives from the first stop to the last: a bus leaves late, drives each leg slower or faster than planned, like the
    /// leg before, and waits at stops; it never leaves before its time.
    mutating func run(into trip: inout SimulatedTrip) {
        let metres = course.geometry.stopMetres
        var time = course.departures[0] + max(0, normal(mean: 60, deviation: 90))
        var pace = 1.0
        trip.arrivals.append(course.departures[0])
        for leg in 1..<metres.count {
            let planned = course.arrivals[leg] - course.departures[leg - 1]
            pace += 0.3 * (1.04 - pace) + normal(mean: 0, deviation: 0.12)
            let spent = max(1, planned * max(0.6, pace))
            report(from: metres[leg - 1], to: metres[leg], during: time...(time + spent), in: &trip)
            time += spent
            trip.arrivals.append(time)
            let left = max(time + Double.random(in: 0...15, using: &random), course.departures[leg])
            report(from: metres[leg], to: metres[leg], during: time...left, in: &trip)
            time = left
        }
    }

    /// Reports at every half minute of a stretch of even speed; one in fifty is lost, one in two hundred far off.
    private mutating func report(
        from start: Double, to end: Double, during span: ClosedRange<Double>,
        in trip: inout SimulatedTrip
    ) {
        let step = SimulatedAfternoon.reportSeconds
        var seconds = (span.lowerBound / step).rounded(.up) * step
        while seconds < span.upperBound {
            defer { seconds += step }
            guard Double.random(in: 0..<1, using: &random) > 0.02 else { continue }
            let share = (seconds - span.lowerBound) / (span.upperBound - span.lowerBound)
            let metres = start + share * (end - start)
            let point = course.geometry.line.point(atMetres: metres)
            trip.fixes.append(VehicleFix(point: blurred(point), seconds: seconds))
            trip.trueMetres.append(metres)
        }
    }

    /// A place as a receiver among buildings reports it: 8 metres off, one in two hundred 80.
    private mutating func blurred(_ point: GeoPoint) -> GeoPoint {
        let deviation = Double.random(in: 0..<1, using: &random) < 0.005 ? 80.0 : 8
        let metresPerDegree = 111_195.0
        let east = normal(mean: 0, deviation: deviation)
        let north = normal(mean: 0, deviation: deviation)
        return GeoPoint(
            latitude: point.latitude + north / metresPerDegree,
            longitude: point.longitude
                + east / (metresPerDegree * cos(point.latitude * .pi / 180)))
    }

    /// A normally distributed number, by Box and Muller's transform.
    private mutating func normal(mean: Double, deviation: Double) -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
        return mean + deviation * radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
    }
}
