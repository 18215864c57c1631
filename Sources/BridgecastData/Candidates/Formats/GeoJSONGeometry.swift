// A GeoJSON geometry as far as it can be a route; decoded by GeoJSONMember.

/// A line, or something else by name.
struct GeoJSONGeometry: Decodable {
    /// Its type, if it says.
    let type: String?
    /// The parts of a LineString or MultiLineString, nil where a part is no list; nil for other geometries.
    let parts: [Positions?]?

    private enum CodingKeys: CodingKey { case type, coordinates }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        type = try? object.decode(String.self, forKey: .type)
        switch type.flatMap(GeoJSONType.init) {
        case .lineString:
            parts = [try? object.decode(Positions.self, forKey: .coordinates)]
        case .multiLineString:
            let lists = try? object.decode([Lenient<Positions>].self, forKey: .coordinates)
            parts = lists.map { $0.map(\.wrappedValue) } ?? [nil]
        case .feature, .featureCollection, nil: parts = nil
        }
    }
}
