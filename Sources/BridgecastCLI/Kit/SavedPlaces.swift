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
        let bytes = file.bytes
        var reader = SavedPlacesReader(bytes.span)
        do throws(DocumentProblem) {
            entries = try reader.entries(bytes.span)
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
        try find([text], by: search)[0]
    }

    /// Finds both ends of a trip; the file is read once.
    ///
    /// - Throws: As ``find(_:by:)``.
    static func findEnds<Found>(
        _ origin: String, _ destination: String, by search: (String) throws(PlaceError) -> Found
    ) throws -> (origin: Found, destination: Found) {
        let found = try find([origin, destination], by: search)
        return (found[0], found[1])
    }

    private static func find<Found>(
        _ texts: [String], by search: (String) throws(PlaceError) -> Found
    ) throws -> [Found] {
        let saved: Self?
        do {
            saved = try ofUser()
        } catch {
            // A wrong file does not matter to who names no place of it.
            guard let found = try? texts.map(search) else { throw error }
            remark([error.description])
            return found
        }
        return try texts.map { try find($0, in: saved, by: search) }
    }

    private static func find<Found>(
        _ text: String, in saved: Self?, by search: (String) throws(PlaceError) -> Found
    ) throws -> Found {
        let folded = foldedName(text)
        let entry = saved?.entries[folded]
        // The map has names in which these words are, such as Gas Works Park.
        guard entry != nil || !expectedNames.contains(folded) else {
            throw notSaved(folded, in: saved)
        }
        do throws(PlaceError) {
            return try search(entry?.text ?? text)
        } catch {
            throw failure(error, of: entry, in: saved)
        }
    }

    private static func failure(
        _ error: PlaceError, of entry: Entry?, in saved: Self?
    ) -> any Error {
        guard let saved, let entry else { return error }
        return DocumentError(
            DocumentProblem(
                "line \(entry.line), \"\(printable(entry.name, maxLength: 40))\"",
                error.description), in: saved.path)
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
    private var cursor: JSONCursor

    private static let expected = "text in quotes or [latitude, longitude]"

    init(_ bytes: Span<UInt8>) { cursor = JSONCursor(of: bytes) }

    /// - Throws: ``DocumentProblem`` with the line.
    mutating func entries(
        _ bytes: Span<UInt8>
    ) throws(DocumentProblem) -> [String: SavedPlaces.Entry] {
        do {
            return try readEntries(bytes)
        } catch let problem as DocumentProblem {
            throw problem
        } catch {
            throw DocumentProblem(
                "line \(cursor.location(bytes).line)",
                isObject(bytes)
                    ? "not valid JSON there; write names and places as in {\"home\": \"2nd & Pine\"}"
                    : "not an object of names and places, as in {\"home\": \"2nd & Pine\"}")
        }
    }

    private func isObject(_ bytes: Span<UInt8>) -> Bool {
        let blanks = " \t\r\n".utf8
        let first = bytes.indices.first { !blanks.contains(bytes[$0]) }
        return first.map { bytes[$0] == UInt8(ascii: "{") } ?? false
    }

    private mutating func readEntries(
        _ bytes: Span<UInt8>
    ) throws -> [String: SavedPlaces.Entry] {
        var entries: [String: SavedPlaces.Entry] = [:]
        try cursor.skipBlanks(bytes)
        var isFirst = true
        while let slice = try cursor.name(isFirst: isFirst, bytes) {
            isFirst = false
            let name = try name(slice, bytes)
            let folded = foldedName(name)
            guard !folded.isEmpty else { throw problem(bytes, of: name, "is no name: use letters") }
            let entry = SavedPlaces.Entry(
                text: try text(bytes, of: name), name: name, line: cursor.location(bytes).line)
            guard entries.updateValue(entry, forKey: folded) == nil else {
                throw problem(bytes, of: name, "is there twice")
            }
        }
        guard try cursor.isOnlyBlankLeft(bytes) else { throw JSONReadingError.invalid }
        return entries
    }

    private func name(
        _ found: (slice: FieldSlice, hasEscapes: Bool), _ bytes: Span<UInt8>
    ) throws -> String {
        let slice = found.slice.range.map { bytes[$0] }
        return String(
            decoding: found.hasEscapes ? try JSONCursor.decoded(slice[...]) : slice, as: UTF8.self)
    }

    /// The value at the cursor as `--from` takes it.
    private mutating func text(_ bytes: Span<UInt8>, of name: String) throws -> String {
        switch try cursor.peek(bytes) {
        case UInt8(ascii: "\""): return try cursor.text(bytes)
        case UInt8(ascii: "["): return try coordinates(bytes, of: name)
        default: throw problem(bytes, of: name, "should be \(Self.expected)")
        }
    }

    private mutating func coordinates(_ bytes: Span<UInt8>, of name: String) throws -> String {
        cursor.position += 1
        var numbers: [Double] = []
        while try cursor.hasElement(after: numbers.count, bytes) {
            let first = try cursor.peek(bytes)
            guard first == UInt8(ascii: "-") || (48...57).contains(first) else {
                throw problem(bytes, of: name, "should be \(Self.expected)")
            }
            numbers.append(try cursor.decimal(bytes))
        }
        guard numbers.count == 2 else {
            throw problem(
                bytes, of: name, "is a list of \(numbers.count); it should be \(Self.expected)")
        }
        return numbers.map(plainNumber).joined(separator: ",")
    }

    private func problem(
        _ bytes: Span<UInt8>, of name: String, _ text: String
    ) -> DocumentProblem {
        DocumentProblem(
            "line \(cursor.location(bytes).line), \"\(printable(name, maxLength: 40))\"", text)
    }
}
