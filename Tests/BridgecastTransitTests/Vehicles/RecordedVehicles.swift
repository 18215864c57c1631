// The recorded vehicles of Saskatoon: 363 frames of an afternoon, 30 s apart, by trip.
import BridgecastCore
import BridgecastRealtimeWire
import Foundation
import SwiftProtobuf

@testable import BridgecastTransit

/// One trip as its vehicle was seen.
struct RecordedTrip {
    var id: String
    var route: String
    /// Distinct fixes in order of time.
    var fixes: [VehicleFix] = []

    /// A line through fixes that lie at least 10 m apart.
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
