// Google's encoded polylines, as route services answer with: precision 5 (OSRM) or 6 (Valhalla); read by LineReader.
internal import BridgecastCore

/// Decodes polylines; the algorithm is Google's "Encoded Polyline Algorithm Format".
enum Polyline {
    /// Degrees are multiplied by 10 to the power of a precision.
    static func scale(precision: Int) -> Double {
        (0..<precision).reduce(1.0) { scale, _ in scale * 10 }
    }

    /// Decodes a text whose numbers are degrees times a scale.
    ///
    /// - Parameter dimensions: Numbers of a point; those behind latitude and longitude are left out.
    /// - Returns: nil if a byte is none of the format's or a number is cut off.
    static func points(
        _ text: String, scale: Double, dimensions: Int = 2, most: Int
    ) -> [GeoPoint]? {
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
            for _ in 2..<max(2, dimensions) {
                guard let more = bytes.next(), next(more) != nil else { return nil }
            }
            latitude += north
            longitude += east
            points.append(
                GeoPoint(latitude: Double(latitude) / scale, longitude: Double(longitude) / scale))
        }
        return points
    }
}
