// A line as OSRM and GraphHopper give it: encoded, or as GeoJSON has it. Read by LineReader.

/// A line in either form.
enum LineGeometry: Decodable {
    case polyline(String)
    /// Nil if there is an object, but no list of positions in it.
    case positions(Positions?)

    private enum CodingKeys: CodingKey { case coordinates }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .polyline(text)
        } else {
            let object = try decoder.container(keyedBy: CodingKeys.self)
            self = .positions(try? object.decode(Positions.self, forKey: .coordinates))
        }
    }
}
