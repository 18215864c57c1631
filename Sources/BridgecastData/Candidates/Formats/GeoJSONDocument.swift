// GeoJSON lines as candidates (RFC 7946); one of the formats of CandidateDocument.
internal import BridgecastCore

/// A collection of lines, or a single one.
///
/// A line's duration in seconds stands in a property `duration`, `duration_s`, `time` or, as openrouteservice has it,
/// `summary.duration`.
enum GeoJSONDocument: CandidateFormat {
    /// Nil if it has no list of features.
    case collection([Lenient<GeoJSONMember>]?)
    case single(GeoJSONMember)

    private enum CodingKeys: CodingKey { case type, features }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        let type = try? object.decode(String.self, forKey: .type)
        self =
            if type == GeoJSONType.featureCollection.rawValue {
                .collection(try? object.decode([Lenient].self, forKey: .features))
            } else {
                .single(try GeoJSONMember(from: decoder))
            }
    }

    func collect(into collector: inout CandidateCollector) throws {
        switch self {
        case .collection(nil): throw DocumentProblem("features", "are missing")
        case .collection(let features?):
            try collector.attemptEach(of: features, "features") { member, place, reader in
                try member.candidate(place, &reader)
            }
        case .single(let member):
            let place = DocumentProblem.wholeFile
            try collector.attempt(place) { reader in try member.candidate(place, &reader) }
        }
    }
}
