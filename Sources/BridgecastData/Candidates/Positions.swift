// The coordinates of a GeoJSON line; files hold a million, so they are decoded number by number. Used by LineGeometry
// and GeoJSONGeometry.
internal import BridgecastCore

/// A list of positions, up to the first entry that is none.
struct Positions: Decodable {
    /// Entries of the list, good or not.
    let count: Int
    /// The first entry that does not begin with two numbers.
    let firstWrong: Int?
    private var numbers: [(Double, Double)] = []

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        numbers.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd {
            guard var position = try? list.nestedUnkeyedContainer(),
                let first = try? position.decode(Double.self),
                let second = try? position.decode(Double.self)
            else { break }
            numbers.append((first, second))
        }
        count = list.count ?? numbers.count
        firstWrong = numbers.count < count ? numbers.count : nil
    }

    /// The positions as points.
    ///
    /// - Parameter isLatitudeFirst: Whether the latitude comes first, against the standard.
    func points(isLatitudeFirst: Bool) -> [GeoPoint] {
        numbers.map { first, second in
            isLatitudeFirst
                ? GeoPoint(latitude: first, longitude: second)
                : GeoPoint(latitude: second, longitude: first)
        }
    }
}
