// The user's own names of places, for --from and --to.
import BridgecastCore
import BridgecastRoads
internal import BridgecastSupport
import Foundation

/// Names that the user gave to places, in `$XDG_CONFIG_HOME/bridgecast/places.json`.
///
/// An object such as `{"home": "2nd & Pine", "work": [47.6, -122.3]}`. A value is what `--from` takes, or latitude and
/// longitude in degrees. Names are compared as those of places are: by letters and digits, ignoring case.
struct SavedPlaces {
    struct Entry {
        /// What `--from` takes.
        let text: String
        /// For messages.
        let name: String
        /// The line of the file, from 1 on.
        let line: Int
    }

    let path: String
    /// By folded name.
    private let entries: [String: Entry]

    /// Names that people expect: an error about one of them shows how to save it.
    private static let expectedNames = ["home", "work"]
    private static let example = #"{"home": "2nd & Pine", "work": [47.61, -122.33]}"#

    /// The location of the user's file; nil if the environment has no home for it.
    private static var url: URL? {
        UserFolder.configuration.url(
            of: "places.json", environment: Console.current.environment)
    }

    /// The user's file; nil if there is none.
    ///
    /// - Throws: ``DocumentError``.
    private static func ofUser() throws(DocumentError) -> Self? {
        // Also without one if no folder on the way to it can be entered.
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try Self(InputFile(url))
    }

    init(_ file: InputFile) throws(DocumentError) {
        path = file.path
        var reader = SavedPlacesReader(file.bytes)
        do throws(DocumentProblem) {
            entries = try reader.entries()
        } catch {
            throw DocumentError(error, in: file.path)
        }
    }

    /// Finds what a text means on the roads: the text that the user saved under that name, or else the text itself.
    ///
    /// - Throws: `PlaceError`; ``DocumentError`` if the file, or the text that it has, is wrong; ``CommandFailure`` for an
    ///   expected name that is not saved.
    static func find<Found>(
        _ text: String, by search: (String) throws(PlaceError) -> Found
    ) throws -> Found {
        let saved = try ofUser()
        let folded = foldedName(text)
        guard let saved, let entry = saved.entries[folded] else {
            do {
                return try search(text)
            } catch PlaceError.unknown where expectedNames.contains(folded) {
                throw notSaved(folded, in: saved)
            }
        }
        do {
            return try search(entry.text)
        } catch {
            throw DocumentError(
                DocumentProblem(
                    "line \(entry.line), \"\(printable(entry.name, maxLength: 40))\"",
                    error.description), in: saved.path)
        }
    }

    private static func notSaved(_ name: String, in saved: Self?) -> CommandFailure {
        let path = saved?.path ?? url?.path ?? "~/.config/bridgecast/places.json"
        let names = saved.map { $0.entries.values.map(\.name).sorted() } ?? []
        let has = names.isEmpty ? "" : "; it has \(names.joined(separator: ", "))"
        return CommandFailure(
            .usage,
            "no place is saved as '\(name)': write it to \(printable(path, maxLength: 200)), such as "
                + example + has)
    }
}

/// Reads the file of saved places and knows the line it has reached.
private struct SavedPlacesReader {
    private let bytes: [UInt8]
    private var cursor: JSONCursor

    private static let expected = "text in quotes or [latitude, longitude]"

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        cursor = JSONCursor(of: bytes.span)
    }

    private var line: Int {
        1 + bytes.prefix(cursor.position).count { $0 == UInt8(ascii: "\n") }
    }

    /// - Throws: ``DocumentProblem`` with the line.
    mutating func entries() throws(DocumentProblem) -> [String: SavedPlaces.Entry] {
        do {
            return try readEntries()
        } catch let problem as DocumentProblem {
            throw problem
        } catch {
            throw DocumentProblem(
                "line \(line)",
                "not valid JSON there; write names and places as in {\"home\": \"2nd & Pine\"}")
        }
    }

    private mutating func readEntries() throws -> [String: SavedPlaces.Entry] {
        var entries: [String: SavedPlaces.Entry] = [:]
        try cursor.skipBlanks(bytes.span)
        var isFirst = true
        while let slice = try cursor.name(isFirst: isFirst, bytes.span) {
            isFirst = false
            let name = try name(slice)
            let folded = foldedName(name)
            guard !folded.isEmpty else { throw problem(of: name, "is no name: use letters") }
            let entry = SavedPlaces.Entry(text: try text(of: name), name: name, line: line)
            guard entries.updateValue(entry, forKey: folded) == nil else {
                throw problem(of: name, "is there twice")
            }
        }
        guard try cursor.isOnlyBlankLeft(bytes.span) else { throw JSONReadingError.invalid }
        return entries
    }

    private func name(_ found: (slice: FieldSlice, hasEscapes: Bool)) throws -> String {
        let slice = bytes[found.slice.range]
        return String(
            decoding: found.hasEscapes ? try JSONCursor.decoded(slice) : Array(slice), as: UTF8.self
        )
    }

    /// The value at the cursor as `--from` takes it.
    private mutating func text(of name: String) throws -> String {
        switch try cursor.peek(bytes.span) {
        case UInt8(ascii: "\""): return try cursor.text(bytes.span)
        case UInt8(ascii: "["): return try coordinates(of: name)
        default: throw problem(of: name, "should be \(Self.expected)")
        }
    }

    private mutating func coordinates(of name: String) throws -> String {
        cursor.position += 1
        var numbers: [Double] = []
        while try cursor.hasElement(after: numbers.count, bytes.span) {
            let first = try cursor.peek(bytes.span)
            guard first == UInt8(ascii: "-") || (48...57).contains(first) else {
                throw problem(of: name, "should be \(Self.expected)")
            }
            numbers.append(try cursor.decimal(bytes.span))
        }
        guard numbers.count == 2 else {
            throw problem(of: name, "has \(numbers.count) numbers; it should be \(Self.expected)")
        }
        return numbers.map(plainNumber).joined(separator: ",")
    }

    private func problem(of name: String, _ text: String) -> DocumentProblem {
        DocumentProblem("line \(line), \"\(printable(name, maxLength: 40))\"", text)
    }
}
