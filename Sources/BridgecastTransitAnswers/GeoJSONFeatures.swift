// Features of GeoJSON (RFC 7946): lines and points with properties, and the box around points.
package import BridgecastCore
package import BridgecastSupport

extension JSONWriter {
    /// Writes `bbox`: west, south, east, north; nothing without points.
    mutating func field(boundsOf points: [GeoPoint]) {
        guard let south = points.map(\.latitude).min(), let north = points.map(\.latitude).max(),
            let west = points.map(\.longitude).min(), let east = points.map(\.longitude).max()
        else { return }
        list("bbox", [west, south, east, north], decimals: 6)
    }

    /// Writes a line with properties as a value.
    mutating func feature(along line: [GeoPoint], _ properties: (inout JSONWriter) -> Void) {
        object { json in
            json.field("type", "Feature")
            json.object("geometry") { json in
                json.field("type", "LineString")
                json.list("coordinates", line) {
                    $0.value([$1.longitude, $1.latitude], decimals: 6)
                }
            }
            json.object("properties") { properties(&$0) }
        }
    }

    /// Writes a point with properties as a value; nothing where there is no point.
    mutating func feature(at point: GeoPoint?, _ properties: (inout JSONWriter) -> Void) {
        guard let point else { return }
        object { json in
            json.field("type", "Feature")
            json.object("geometry") { json in
                json.field("type", "Point")
                json.list("coordinates", [point.longitude, point.latitude], decimals: 6)
            }
            json.object("properties") { properties(&$0) }
        }
    }
}
