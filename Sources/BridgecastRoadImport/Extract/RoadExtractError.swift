// Why an extract is refused: every check of the readers has its problem here, with a message for users.
internal import BridgecastCore
public import BridgecastSupport
internal import Foundation

/// A refusal of a whole extract; nothing of it is used.
public struct RoadExtractError: Failure, Equatable {
    /// A location in a file; unknown parts are nil.
    public struct Location: Sendable, Equatable, CustomStringConvertible {
        /// The element.
        public var element: RoadElement?
        /// The byte, from 0; in a packed file that of its content.
        public var byte: Int?

        /// Such as `byte 70, node 53065012`; empty if nothing is known.
        public var description: String {
            [byte.map { "byte \($0)" }, element?.description].compactMap(\.self)
                .joined(separator: ", ")
        }
    }

    /// The file, or another name of the extract.
    public let file: String
    /// Where in it.
    public let location: Location
    /// What is wrong, and what to do about it.
    public let problem: RoadExtractProblem

    /// Whether the file is missing, cannot be read, or has bad content.
    public var kind: FailureKind {
        switch problem {
        case .noSuchFile: .missing
        case .notLocal, .folder, .notRegular, .unreadable: .io
        default: .data
        }
    }

    /// The file, the location and the problem.
    public var description: String {
        [file, location.description, problem.description].filter { !$0.isEmpty }
            .joined(separator: ": ")
    }
}

/// What is wrong with an extract.
public enum RoadExtractProblem: Error, Equatable {
    // The file.
    case noSuchFile
    /// A URL that is not that of a file.
    case notLocal
    case folder
    /// A pipe, a device or a socket.
    case notRegular
    /// Reading failed, with the system's message.
    case unreadable(String)
    case empty
    case tooLarge(bytes: Int, maxBytes: Int)
    case unpackedTooLarge(maxBytes: Int)
    /// A file of `bytes` bytes unpacks to more than a map would.
    case packedTooTightly(bytes: Int, maxBytes: Int)
    case tooMany(RoadElement.Kind, maxCount: Int)
    /// The file is not an extract.
    case other(OtherContent)

    // All formats.
    /// The file ends before the extract does.
    case cutShort
    case damagedPacking(String)
    case missing(field: String)
    /// A field with a wrong value.
    case wrong(field: String, wanted: String)
    case outOfRange(latitude: Double, longitude: Double)
    /// The server gave up while it wrote; its message.
    case incomplete(String)
    case notUTF8

    // Overpass JSON.
    /// `elements` is not a list of nodes, ways and relations.
    case elements
    case brokenJSON

    // PBF.
    case blobHeaderTooLarge(bytes: Int, maxBytes: Int)
    case blobTooLarge(bytes: Int, maxBytes: Int)
    /// A blob with an unknown compression.
    case packedAs(String)
    case emptyBlob
    case blobSize(stated: Int, unpacked: Int)
    case needsFeature(String)
    case headerMissing
    /// A message that cannot be decoded, or that contradicts itself.
    case brokenMessage(String)
}

extension RoadExtractProblem: CustomStringConvertible {
    /// What is wrong, and what to do about it.
    public var description: String {
        switch self {
        case .noSuchFile: "there is no such file"
        case .notLocal: "is not a local file; download it first"
        case .folder: "is a folder, not a file"
        case .notRegular: "is a pipe or device, not a file"
        case .unreadable(let reason): "cannot be read (\(reason))"
        case .empty: "the file is empty"
        case .tooLarge(let bytes, let maxBytes):
            "has \(bytes) bytes; the maximum is \(Self.size(maxBytes)). \(Self.smaller)"
        case .unpackedTooLarge(let maxBytes):
            "unpacks to more than \(Self.size(maxBytes)). \(Self.smaller)"
        case .packedTooTightly(let bytes, let maxBytes):
            "\(bytes) bytes that unpack to more than \(Self.size(maxBytes)); this is not a map"
        case .tooMany(let kind, let maxCount):
            "has more than \(maxCount) \(kind == .way ? "ways" : "\(kind.rawValue)s"). \(Self.smaller)"
        case .other(let content): content.description
        case .cutShort: "the file ends in the middle of the extract; download it again"
        case .damagedPacking(let reason): "cannot be unpacked (\(reason)); download it again"
        case .missing(let field): "'\(field)' is missing"
        case .wrong(let field, let wanted): "'\(field)' should be \(wanted)"
        case .outOfRange(let latitude, let longitude):
            "latitude \(latitude), longitude \(longitude) is not on earth"
        case .incomplete(let message):
            "the server did not finish it (\(printable(message, maxLength: 120))); request less at a time"
        case .notUTF8: "text that is not UTF-8; download the file again"
        case .elements: "not an extract: 'elements' should be a list of nodes, ways and relations"
        case .brokenJSON: "not valid JSON"
        default: blobDescription
        }
    }

    private var blobDescription: String {
        switch self {
        case .blobHeaderTooLarge(let bytes, let maxBytes):
            "a block header of \(bytes) bytes; the format allows \(maxBytes). \(Self.again)"
        case .blobTooLarge(let bytes, let maxBytes):
            "a block of \(bytes) bytes; the format allows \(maxBytes). \(Self.again)"
        case .packedAs(let name):
            "packed by \(name); only zlib is supported: osmium cat IN -o OUT -f pbf,pbf_compression=zlib"
        case .emptyBlob: "a block without content. \(Self.again)"
        case .blobSize(let stated, let unpacked):
            "a block should unpack to \(stated) bytes but unpacks to \(unpacked). \(Self.again)"
        case .needsFeature("HistoricalInformation"):
            "includes deleted elements; extract one point in time: osmium time-filter IN -o OUT"
        case .needsFeature(let name):
            "needs '\(printable(name, maxLength: 40))', which is not supported; convert it: osmium cat IN -o OUT"
        case .headerMissing: "data before a header. \(Self.again)"
        case .brokenMessage(let what): "\(what). \(Self.again)"
        default: ""
        }
    }

    private static let again = "Download the file again"
    private static let smaller =
        "Take a smaller extract: osmium extract --bbox WEST,SOUTH,EAST,NORTH, then osmium tags-filter w/highway"

    private static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<(1 << 20): "\(bytes) bytes"
        case ..<(1 << 30): "\(bytes >> 20) MiB"
        default: "\((bytes + 1) >> 30) GiB"
        }
    }
}

/// The content of a file that is not an extract.
public enum OtherContent: Sendable, Equatable, CustomStringConvertible {
    case webPage
    case geoJSON
    case json
    /// XML, by its outermost element.
    case xml(root: String)
    /// Packed twice by gzip.
    case gzipInGzip
    /// Packed by something else than gzip, and the program that unpacks it.
    case packed(as: String, by: String)
    case o5m
    case database
    case text
    case binary

    /// What it is, and what to do about it.
    public var description: String {
        switch self {
        case .webPage: "a web page, perhaps an error of the server; open it to read it"
        case .geoJSON:
            "GeoJSON, which does not say what is connected; use [out:json] of Overpass or a .osm.pbf"
        case .json: "JSON, but not from Overpass: there is no list 'elements'"
        case .xml("osmChange"):
            "a list of changes (osmChange), not an extract; apply it to one first"
        case .xml("osm"):
            "OSM XML, which is not supported; convert it: osmium cat IN.osm -o OUT.osm.pbf"
        case .xml(let root):
            "XML ('\(printable(root, maxLength: 40))'), not an extract; \(Self.wanted)"
        case .gzipInGzip: "packed twice by gzip; unpack it once: gunzip"
        case .packed(let form, let program): "packed by \(form); unpack it first: \(program)"
        case .o5m: "o5m; convert it: osmium cat IN.o5m -o OUT.osm.pbf"
        case .database: "a database, not an extract; export it as .osm.pbf"
        case .text: "text, not an extract; \(Self.wanted)"
        case .binary: "not an extract; \(Self.wanted)"
        }
    }

    private static let wanted = "use Overpass JSON or .osm.pbf, plain or compressed with gzip"
}

/// A problem and its location; readers throw it, as they do not know the name of their file.
struct RoadExtractDefect: Error, Equatable {
    let problem: RoadExtractProblem
    let location: RoadExtractError.Location

    init(_ problem: RoadExtractProblem, element: RoadElement? = nil, byte: Int? = nil) {
        self.problem = problem
        location = RoadExtractError.Location(element: element, byte: byte)
    }

    static func bytes(of url: URL, maxBytes: Int) throws(RoadExtractDefect) -> [UInt8] {
        do throws(LocalFileError) {
            return try LocalFile.read(url, maxBytes: maxBytes)
        } catch {
            switch error {
            case .notLocal: throw RoadExtractDefect(.notLocal)
            case .missing: throw RoadExtractDefect(.noSuchFile)
            case .folder: throw RoadExtractDefect(.folder)
            case .pipeOrDevice, .silent: throw RoadExtractDefect(.notRegular)
            case .tooLarge(let bytes, let maxBytes):
                throw RoadExtractDefect(.tooLarge(bytes: bytes, maxBytes: maxBytes))
            case .system(let code):
                throw RoadExtractDefect(.unreadable(LocalFileError.description(of: code)))
            }
        }
    }
}
