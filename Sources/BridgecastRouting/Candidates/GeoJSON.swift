internal import BridgecastCore
internal import BridgecastSupport

/// A collection of lines, or a single one.
///
/// A line's duration in seconds is a property `duration`, `duration_s`, `time` or, as openrouteservice has it,
/// `summary.duration`.
enum GeoJSONDocument: CandidateFormat {
    /// Nil if it has no list of features.
    case collection([LenientValue<GeoJSONMember>]?)
    case single(GeoJSONMember)

    private enum CodingKeys: CodingKey { case type, features }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        let type = try? object.decode(String.self, forKey: .type)
        self =
            if type == GeoJSONType.featureCollection.rawValue {
                .collection(try? object.decode([LenientValue].self, forKey: .features))
            } else {
                .single(try GeoJSONMember(from: decoder))
            }
    }

    func collect(into collector: inout CandidateCollector) throws {
        switch self {
        case .collection(nil): throw DocumentProblem("features", "are missing")
        case .collection(let features?):
            try collector.attemptEach(of: features, "features") { member, location, reader in
                try member.candidate(location, &reader)
            }
        case .single(let member):
            let location = DocumentProblem.wholeFile
            try collector.attempt(location) { reader in try member.candidate(location, &reader) }
        }
    }
}

/// A feature with what a route can say of itself, or a bare geometry.
struct GeoJSONMember: Decodable {
    private let geometry: GeoJSONGeometry?
    private let properties: Properties?

    private enum CodingKeys: CodingKey { case type, geometry, properties }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        guard (try? object.decode(String.self, forKey: .type)) == GeoJSONType.feature.rawValue
        else {
            geometry = try GeoJSONGeometry(from: decoder)
            properties = nil
            return
        }
        geometry = try? object.decode(GeoJSONGeometry.self, forKey: .geometry)
        properties = try? object.decode(Properties.self, forKey: .properties)
    }

    private struct Properties: Decodable {
        /// A duration that is given counts, whatever it is.
        let duration: LenientValue<Double>?
        let durationSeconds: LenientValue<Double>?
        let time: LenientValue<Double>?
        @LenientValue var summary: Summary?
        @LenientValue var segments: [ServiceSegment]?
        @LenientValue var name: String?
        @LenientValue var id: String?

        var given: LenientValue<Double>? {
            duration ?? durationSeconds ?? time ?? summary?.duration
        }

        enum CodingKeys: String, CodingKey {
            case duration, time, summary, segments, name, id
            case durationSeconds = "duration_s"
        }
    }

    private struct Summary: Decodable {
        let duration: LenientValue<Double>?
    }

    /// The parts of a MultiLineString are one route if each begins where the one before it ends.
    func candidate(_ location: String, _ reader: inout LineReader) throws -> Candidate {
        guard let geometry else { throw DocumentProblem("\(location): geometry", "is missing") }
        guard let parts = geometry.parts else {
            let type = geometry.type.flatMap { $0.isEmpty ? nil : printable($0, maxLength: 40) }
            throw DocumentProblem(
                location,
                "is \(type ?? "something without a type"); "
                    + "only a LineString or MultiLineString is a route")
        }
        var (line, _) = try reader.line(stated: LineReading(precision: 5), at: location) {
            reader, reading in
            var line = CandidateLine(points: [])
            for (number, part) in parts.enumerated() {
                let at = "\(location): coordinates" + (parts.count > 1 ? "[\(number)]" : "")
                try line.append(try reader.points(of: part, at: at, reading), at)
            }
            return line
        }
        if let given = properties?.given {
            let seconds = try StatedSeconds.seconds(given.wrappedValue, "\(location): duration")
            line.seconds = seconds
            line.pieceSeconds = reader.trusted(
                line.pieceSeconds(of: properties?.segments?.stretches ?? []), of: seconds,
                from: "steps", at: location)
        }
        return Candidate(line, name: properties?.name ?? properties?.id)
    }
}

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
        case .lineString: parts = [try? object.decode(Positions.self, forKey: .coordinates)]
        case .multiLineString:
            let lists = try? object.decode([LenientValue<Positions>].self, forKey: .coordinates)
            parts = lists.map { $0.map(\.wrappedValue) } ?? [nil]
        case .feature, .featureCollection, nil: parts = nil
        }
    }
}

/// Types of GeoJSON that can hold a route.
enum GeoJSONType: String {
    case featureCollection = "FeatureCollection"
    case feature = "Feature"
    case lineString = "LineString"
    case multiLineString = "MultiLineString"
}
