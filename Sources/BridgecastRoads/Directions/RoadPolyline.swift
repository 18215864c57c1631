// Lines as short texts, as maps and other route services take them.
public import BridgecastCore

/// Google's "Encoded Polyline Algorithm Format".
public enum RoadPolyline {
    /// Decimal places of a degree that are kept.
    public enum Precision: Int, Sendable, CaseIterable {
        /// About a metre, as Google and OSRM do by default.
        case five = 5
        /// About a tenth of a metre, as Valhalla does.
        case six = 6
    }

    /// A line as a text.
    public static func encode(_ line: [GeoPoint], precision: Precision = .five) -> String {
        let scale = precision == .five ? 1e5 : 1e6
        var bytes: [UInt8] = []
        var (latitude, longitude) = (0, 0)
        for point in line {
            let north = Int((point.latitude * scale).rounded())
            let east = Int((point.longitude * scale).rounded())
            append(north - latitude, to: &bytes)
            append(east - longitude, to: &bytes)
            (latitude, longitude) = (north, east)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ difference: Int, to bytes: inout [UInt8]) {
        var rest = difference < 0 ? ~(difference << 1) : difference << 1
        while rest >= 32 {
            bytes.append(UInt8(rest & 31 | 32) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(rest) + 63)
    }
}
