// A feature of GeoJSON, or a geometry that stands for one, as a candidate; used by GeoJSONDocument.
internal import BridgecastCore

/// A feature with what a route can say of itself, or a bare geometry.
struct GeoJSONMember: Decodable {
    private let geometry: GeoJSONGeometry?
    private let properties: Properties?

    private enum CodingKeys: CodingKey { case type, geometry, properties }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        guard (try? object.decode(String.self, forKey: .type)) == GeoJSONType.feature.rawValue
        else {
            (geometry, properties) = (try GeoJSONGeometry(from: decoder), nil)
            return
        }
        geometry = try? object.decode(GeoJSONGeometry.self, forKey: .geometry)
        properties = try? object.decode(Properties.self, forKey: .properties)
    }

    private struct Properties: Decodable {
        /// A duration that is given counts, whatever it is.
        let duration: Lenient<Double>?
        let durationSeconds: Lenient<Double>?
        let time: Lenient<Double>?
        @Lenient var summary: Summary?
        @Lenient var segments: [ServiceSegment]?
        @Lenient var name: String?
        @Lenient var id: String?

        var given: Lenient<Double>? { duration ?? durationSeconds ?? time ?? summary?.duration }

        enum CodingKeys: String, CodingKey {
            case duration, time, summary, segments, name, id
            case durationSeconds = "duration_s"
        }
    }

    private struct Summary: Decodable {
        let duration: Lenient<Double>?
    }

    /// The member as a candidate; the parts of a MultiLineString are one route if each begins where the one before it
    /// ends.
    func candidate(_ place: String, _ reader: inout LineReader) throws -> Candidate {
        guard let geometry else { throw DocumentProblem("\(place): geometry", "is missing") }
        guard let parts = geometry.parts else {
            let type = geometry.type.flatMap { $0.isEmpty ? nil : printable($0, most: 40) }
            throw DocumentProblem(
                place,
                "is \(type ?? "something without a type"); "
                    + "only a LineString or MultiLineString is a route")
        }
        var (line, _) = try reader.line(LineReading(precision: 5), place) { reader, reading in
            var line = CandidateLine(points: [])
            for (number, part) in parts.enumerated() {
                let at = "\(place): coordinates" + (parts.count > 1 ? "[\(number)]" : "")
                try line.append(try reader.points(of: part, at, reading), at)
            }
            return line
        }
        if let given = properties?.given {
            let seconds = try StatedSeconds.seconds(given.wrappedValue, "\(place): duration")
            line.seconds = seconds
            line.pieceSeconds = reader.trusted(
                line.pieceSeconds(of: properties?.segments?.stretches ?? []), of: seconds,
                "steps", place)
        }
        return Candidate(line, name: properties?.name ?? properties?.id)
    }
}
