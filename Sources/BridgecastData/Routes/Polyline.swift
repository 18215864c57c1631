// Google's encoded polylines, as route services answer with: precision 5 (OSRM) or 6 (Valhalla).
import BridgecastCore

/// Decodes polylines; the algorithm is Google's "Encoded Polyline Algorithm Format".
enum Polyline {
    /// Decodes a text whose numbers are degrees times 10 to the power of `precision`.
    ///
    /// - Returns: nil if a byte is none of the format's or a number is cut off.
    static func points(_ text: String, precision: Int, most: Int) -> [GeoPoint]? {
        let scale = (0..<precision).reduce(1.0) { scale, _ in scale * 10 }
        var (latitude, longitude) = (0, 0)
        var points: [GeoPoint] = []
        var bytes = text.utf8.makeIterator()
        func next(_ first: UInt8) -> Int? {
            var (value, shift) = (0, 0)
            var byte = first
            while true {
                guard (63...126).contains(byte), shift <= 30 else { return nil }
                value |= Int((byte - 63) & 31) << shift
                guard byte - 63 >= 32 else { break }
                shift += 5
                guard let more = bytes.next() else { return nil }
                byte = more
            }
            return value & 1 == 1 ? ~(value >> 1) : value >> 1
        }
        while let first = bytes.next() {
            guard let north = next(first), let second = bytes.next(), let east = next(second),
                points.count < most
            else { return nil }
            latitude += north
            longitude += east
            points.append(
                GeoPoint(latitude: Double(latitude) / scale, longitude: Double(longitude) / scale))
        }
        return points
    }
}
