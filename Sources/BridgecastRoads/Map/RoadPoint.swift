// A place on the ground in eight bytes, as OpenStreetMap stores it; used by RoadMap and network files.
package import BridgecastCore

/// Coordinates in steps of 1e-7 degrees, about a centimetre.
package struct RoadPoint: Sendable, Equatable, BitwiseCopyable {
    /// Degrees times 10,000,000.
    package var latitudeE7, longitudeE7: Int32

    package init(_ point: GeoPoint) {
        latitudeE7 = Int32((point.latitude * 1e7).rounded())
        longitudeE7 = Int32((point.longitude * 1e7).rounded())
    }

    package var geoPoint: GeoPoint {
        GeoPoint(latitude: Double(latitudeE7) / 1e7, longitude: Double(longitudeE7) / 1e7)
    }
}
