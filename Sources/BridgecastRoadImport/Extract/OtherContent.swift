// What people give in place of an extract, so that the refusal can say what they have and what to do.
internal import BridgecastCore

/// What a file holds that is no extract.
public enum OtherContent: Sendable, Equatable, CustomStringConvertible {
    case webPage
    case geoJSON
    case json
    /// XML whose outermost element is another.
    case xml(root: String)
    /// Unpacked once, it is gzip again.
    case gzipInGzip
    /// Packed by another program than gzip, which has a program to unpack it.
    case packed(as: String, by: String)
    case o5m
    case database
    case text
    case binary

    /// What it is, and what to do.
    public var description: String {
        switch self {
        case .webPage: "a web page, perhaps a server's excuse; open it to see what it says"
        case .geoJSON:
            "GeoJSON, which does not say what is connected; ask Overpass for [out:json] or take a .osm.pbf"
        case .json: "JSON, but no answer of Overpass: there is no list 'elements'"
        case .xml("osmChange"):
            "a list of changes (osmChange), not an extract; apply it to one first"
        case .xml(let root): "XML, but '\(printable(root, most: 40))' in place of 'osm'"
        case .gzipInGzip: "packed twice by gzip; unpack it once: gunzip"
        case .packed(let form, let program): "packed by \(form); unpack it first: \(program)"
        case .o5m: "o5m; convert it: osmium cat IN.o5m -o OUT.osm.pbf"
        case .database: "a database, not an extract; export it as .osm.pbf"
        case .text: "text, but no extract; \(Self.wanted)"
        case .binary: "no extract; \(Self.wanted)"
        }
    }

    private static let wanted = "Overpass JSON, .osm or .osm.pbf are read, also packed by gzip"
}
