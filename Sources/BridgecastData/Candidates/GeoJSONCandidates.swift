// GeoJSON lines as candidates (RFC 7946).
import BridgecastCore
import Foundation

/// Types of GeoJSON that can hold a route.
enum GeoJSONType: String {
    case featureCollection = "FeatureCollection"
    case feature = "Feature"
    case lineString = "LineString"
    case multiLineString = "MultiLineString"
}

extension CandidateReader {
    /// Reads lines, with the duration in seconds in a property `duration`, `duration_s`, `time` or, as
    /// openrouteservice has it, `summary.duration`.
    ///
    /// The parts of a MultiLineString are one route if each begins where the one before it ends.
    mutating func addGeoJSON(_ value: [String: Any]) throws(CandidateMistake) {
        guard value["type"] as? String == GeoJSONType.featureCollection.rawValue else {
            return try attempt { (reader) throws(CandidateMistake) in
                try reader.addGeoJSON(value, "the file")
            }
        }
        guard let features = value["features"] as? [Any] else {
            throw CandidateMistake("features", "are missing")
        }
        try attemptEach(of: features, "features") {
            (reader, feature, place) throws(CandidateMistake) in
            try reader.addGeoJSON(feature, place)
        }
    }

    private mutating func addGeoJSON(
        _ value: [String: Any], _ place: String
    ) throws(CandidateMistake) {
        let isFeature = value["type"] as? String == GeoJSONType.feature.rawValue
        guard let geometry = isFeature ? value["geometry"] as? [String: Any] : value else {
            throw CandidateMistake("\(place): geometry", "is missing")
        }
        let type = geometry["type"] as? String ?? ""
        let parts: [Any]
        switch GeoJSONType(rawValue: type) {
        case .lineString: parts = [geometry["coordinates"] as Any]
        case .multiLineString:
            guard let list = geometry["coordinates"] as? [Any] else {
                throw CandidateMistake("\(place): coordinates", "are missing")
            }
            parts = list
        default:
            let name = type.isEmpty ? "something without a type" : printable(type, most: 40)
            throw CandidateMistake(
                place, "is \(name); only a LineString or MultiLineString is a route")
        }
        var (line, _) = try line(Reading(precision: 5), place) {
            (reader, reading) throws(CandidateMistake) in
            var line = CandidateLine(points: [])
            for (number, part) in parts.enumerated() {
                let at = "\(place): coordinates" + (parts.count > 1 ? "[\(number)]" : "")
                try line.append(try reader.coordinates(part, at, reading), at)
            }
            return line
        }
        let properties = isFeature ? value["properties"] as? [String: Any] ?? [:] : [:]
        let summary = properties["summary"] as? [String: Any]
        let given =
            properties["duration"] ?? properties["duration_s"] ?? properties["time"]
            ?? summary?["duration"]
        if let given {
            let seconds = try duration(given, "\(place): duration")
            line.seconds = seconds
            line.pieceSeconds = trusted(
                line.pieceSeconds(of: Self.segmentSteps(properties["segments"])), of: seconds,
                "steps", place)
        }
        let name = properties["name"] as? String ?? properties["id"] as? String ?? ""
        try add([CandidatePart(line: line)], name: name, place)
    }
}
