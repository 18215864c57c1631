// Trails, sidewalks of bridges and places that an extract of streets lacks, read from a file of the project.
internal import BridgecastSupport
internal import BridgecastCore
internal import BridgecastRoads
public import Foundation

/// Lines and places to add to an extract, read from `seattle-additions.json`.
public struct RoadAdditions: Sendable {
    /// A trail, or a sidewalk of a bridge.
    struct Line: Sendable, Decodable {
        enum Kind: String, Sendable, Decodable {
            case trail, footway
        }

        let name: String
        let kind: Kind
        /// The drawbridge or fixed crossing that it crosses water on; nil if it stays on land.
        let crossing: String?
        let points: [GeoPoint]
        /// Indices of the points to join to streets: the first and the last by default.
        let joins: Set<Int>

        private enum CodingKeys: String, CodingKey {
            case name, kind, crossing, points, joins
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            kind = try values.decode(Kind.self, forKey: .kind)
            crossing = try values.decodeIfPresent(String.self, forKey: .crossing)
            points = try values.decode([Coordinates].self, forKey: .points).map(\.point)
            guard points.count >= 2 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .points, in: values, debugDescription: "should be two points or more")
            }
            let listed = try values.decodeIfPresent([Int].self, forKey: .joins)
            joins = Set(listed ?? [0, points.count - 1])
            guard joins.allSatisfy(points.indices.contains) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .joins, in: values,
                    debugDescription: "should be indices of points, 0 to \(points.count - 1)")
            }
        }
    }

    struct NamedPlace: Sendable, Decodable {
        let place: Place

        private enum CodingKeys: String, CodingKey {
            case name, aliases, kind, at
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let text = try values.decode(String.self, forKey: .kind)
            guard let kind = Place.Kind.allCases.first(where: { "\($0)" == text }) else {
                let known = Place.Kind.allCases.map { "\($0)" }.joined(separator: ", ")
                throw DecodingError.dataCorruptedError(
                    forKey: .kind, in: values,
                    debugDescription: "'\(text)' is not a kind of place; known: \(known)")
            }
            place = Place(
                name: try values.decode(String.self, forKey: .name),
                aliases: try values.decodeIfPresent([String].self, forKey: .aliases) ?? [],
                kind: kind, point: try values.decode(Coordinates.self, forKey: .at).point)
        }
    }

    /// A stretch of a one-way street with a two-way bike track that is not tagged as such.
    struct TwoWayTrack: Sendable, Decodable {
        /// The name of the street on the map, such as '2nd Ave'.
        let street: String
        let from, to: Coordinates

        /// Whether a point is in the box of its ends, with a margin.
        func contains(_ point: GeoPoint) -> Bool {
            let marginDegrees = 0.0005
            func isBetween(_ value: Double, _ one: Double, _ other: Double) -> Bool {
                (min(one, other) - marginDegrees...max(one, other) + marginDegrees).contains(value)
            }
            return isBetween(point.latitude, from.point.latitude, to.point.latitude)
                && isBetween(point.longitude, from.point.longitude, to.point.longitude)
        }
    }

    /// `[latitude, longitude]`.
    struct Coordinates: Sendable, Decodable {
        let point: GeoPoint

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let latitude = try values.decode(Double.self)
            let longitude = try values.decode(Double.self)
            guard values.isAtEnd, (-90...90).contains(latitude), (-180...180).contains(longitude)
            else {
                throw DecodingError.dataCorruptedError(
                    in: values, debugDescription: "should be [latitude, longitude]")
            }
            point = GeoPoint(latitude: latitude, longitude: longitude)
        }
    }

    private struct Document: Decodable {
        let lines: [Line]
        let places: [NamedPlace]
        let twoWayTracks: [TwoWayTrack]?
    }

    let file: String
    let lines: [Line]
    let places: [Place]
    let twoWayTracks: [TwoWayTrack]

    /// Reads a file.
    ///
    /// - Throws: ``RoadExtractError`` if it cannot be read; ``RoadImportError`` for its content.
    public static func read(_ url: URL) throws -> RoadAdditions {
        let bytes: [UInt8]
        do throws(RoadExtractDefect) {
            bytes = try RoadExtractDefect.bytes(of: url, maxBytes: ReadingLimits().fileBytes)
        } catch {
            throw RoadExtractError(error, file: url.relativePath)
        }
        return try RoadAdditions(json: bytes, file: url.relativePath)
    }

    /// Reads a file's content.
    ///
    /// - Throws: `RoadImportError.additions` with the file and the location in it.
    public init(json: [UInt8], file: String) throws(RoadImportError) {
        self.file = file
        do {
            let document = try JSONDecoder().decode(Document.self, from: Data(json))
            lines = document.lines
            places = document.places.map(\.place)
            twoWayTracks = document.twoWayTracks ?? []
        } catch {
            throw .additions(file: file, problem: DocumentProblem(decoding: error))
        }
    }
}
