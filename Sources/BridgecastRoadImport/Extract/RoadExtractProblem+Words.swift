// The words of each problem: what is wrong and what to do.
internal import BridgecastCore

extension RoadExtractProblem: CustomStringConvertible {
    /// What is wrong, and what to do about it.
    public var description: String {
        switch self {
        case .noSuchFile: "there is no such file"
        case .notLocal: "is no file; fetch it and give its bytes"
        case .folder: "is a folder, not a file"
        case .notRegular: "is a pipe or device, not a file"
        case .unreadable(let words): "cannot be read (\(words))"
        case .empty: "the file is empty"
        case .tooLarge(let bytes, let most):
            "\(bytes) bytes; at most \(Self.size(most)) are read. \(Self.smaller)"
        case .unpackedTooLarge(let most):
            "unpacks to more than \(Self.size(most)). \(Self.smaller)"
        case .packedTooTightly(let bytes, let most):
            "\(bytes) bytes that unpack to more than \(Self.size(most)): no map is packed so tightly"
        case .tooMany(let kind, let most):
            "holds more than \(most) \(kind == .way ? "ways" : "\(kind.rawValue)s"). \(Self.smaller)"
        case .other(let content): content.description
        case .cutShort: "the file ends here, before the extract does; fetch it again"
        case .damagedPacking(let words): "cannot be unpacked (\(words)); fetch it again"
        case .missing(let field): "'\(field)' is missing"
        case .wrong(let field, let wanted): "'\(field)' should be \(wanted)"
        case .outOfRange(let latitude, let longitude):
            "latitude \(latitude), longitude \(longitude) is no place on the globe"
        case .incomplete(let words):
            "the server did not finish it (\(printable(words, most: 120))); ask again for less at a time"
        case .notUTF8: "text that is not UTF-8; fetch the file again"
        case .elements: "no extract: 'elements' should be a list of nodes, ways and relations"
        case .brokenJSON: "not valid JSON"
        case .brokenXML(let words): "not valid XML (\(words))"
        case .encoding(let name):
            "written in \(printable(name, most: 20)); convert it to UTF-8, and its first line too"
        case .documentType: "a document type (<!DOCTYPE ...>) is not read; remove it"
        case .version(let version):
            "version \(printable(version, most: 20)) of OpenStreetMap's XML is not read, only 0.6"
        case .history:
            "holds what has been deleted from the map; take one moment out of it: osmium time-filter IN -o OUT"
        default: blobWords
        }
    }

    private var blobWords: String {
        switch self {
        case .blobHeaderTooLarge(let bytes, let most):
            "a block's head of \(bytes) bytes; the format allows \(most). \(Self.again)"
        case .blobTooLarge(let bytes, let most):
            "a block of \(bytes) bytes; the format allows \(most). \(Self.again)"
        case .packedAs(let name):
            "packed by \(name); only zlib is read: osmium cat IN -o OUT -f pbf,pbf_compression=zlib"
        case .emptyBlob: "a block without content. \(Self.again)"
        case .blobSize(let stated, let unpacked):
            "a block should unpack to \(stated) bytes and comes to \(unpacked). \(Self.again)"
        case .needsFeature("HistoricalInformation"): Self.history.description
        case .needsFeature(let name):
            "needs '\(printable(name, most: 40))', which is not read; write it anew: osmium cat IN -o OUT"
        case .headerMissing: "data without a header before them. \(Self.again)"
        case .brokenMessage(let what): "\(what). \(Self.again)"
        default: ""
        }
    }

    private static let again = "Fetch the file again"
    private static let smaller =
        "Cut out less: osmium extract --bbox WEST,SOUTH,EAST,NORTH, then osmium tags-filter w/highway"

    private static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<(1 << 20): "\(bytes) bytes"
        case ..<(1 << 30): "\(bytes >> 20) MiB"
        default: "\((bytes + 1) >> 30) GiB"
        }
    }
}
