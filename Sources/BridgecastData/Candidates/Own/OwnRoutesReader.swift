// Good documents of our own form, straight from bytes: what the service reads ten thousand candidates at a time with.
// Used by RoutesFile and CandidateFile.
// Belongs here: our own form of candidate routes, read and checked; not: the forms of others (Formats).

/// Reads documents of our own form in which nothing is unusual, thirty times as fast as Foundation's decoder.
///
/// It finds no words for what is wrong: wherever a document is not what it should be, or holds what the decoder
/// may read otherwise, such as a name twice, there is no document, and the decoder has to look at it. What the
/// values mean is checked by ``RoutesDocument/checkedRoutes()`` for both.
struct OwnRoutesReader {
    private var cursor: JSONCursor
    private var documentNames = OwnNames<RoutesDocument.CodingKeys>()
    private var entryNames = OwnNames<RoutesDocument.Entry.CodingKeys>()
    private var stepNames = OwnNames<RoutesDocument.Step.CodingKeys>()
    // Candidates mostly share these.
    private var origins = RepeatedText()
    private var destinations = RepeatedText()
    private var modes = RepeatedText()
    /// How many steps the candidate before had, for the memory of the next.
    private var usualSteps = 1

    private init(_ bytes: Span<UInt8>) { cursor = JSONCursor(of: bytes) }

    /// The document; nil if the decoder has to read it.
    static func document(_ bytes: Span<UInt8>) -> RoutesDocument? {
        guard bytes.count <= TextWindow.largestBytes else { return nil }
        var reader = OwnRoutesReader(bytes)
        return try? reader.document(bytes)
    }

    private mutating func document(_ bytes: Span<UInt8>) throws(JSONStop) -> RoutesDocument {
        var about: String?
        var routes: [Strict<RoutesDocument.Entry>]?
        try cursor.skipBlanks(bytes)
        documentNames.begin()
        while let name = try documentNames.next(&cursor, bytes) {
            switch name {
            case .about: about = try cursor.text(bytes)
            case .routes: routes = try self.routes(bytes)
            }
        }
        guard let routes, try cursor.isOnlyBlankLeft(bytes) else { throw .invalid }
        return RoutesDocument(about: about, routes: routes)
    }

    private mutating func routes(
        _ bytes: Span<UInt8>
    ) throws(JSONStop) -> [Strict<RoutesDocument.Entry>] {
        var routes: [Strict<RoutesDocument.Entry>] = []
        try cursor.expect("[", bytes)
        while try cursor.hasElement(after: routes.count, bytes) {
            routes.append(Strict(object: try entry(bytes)))
        }
        return routes
    }

    private mutating func entry(_ bytes: Span<UInt8>) throws(JSONStop) -> RoutesDocument.Entry {
        var (id, name, origin) = (String?.none, String?.none, String?.none)
        var (destination, mode) = (String?.none, String?.none)
        var steps: [Strict<RoutesDocument.Step>]?
        entryNames.begin()
        while let field = try entryNames.next(&cursor, bytes) {
            switch field {
            case .id: id = try cursor.text(bytes)
            case .name: name = try cursor.text(bytes)
            case .origin: origin = try origins.read(&cursor, bytes)
            case .destination: destination = try destinations.read(&cursor, bytes)
            case .mode: mode = try cursor.isNull(bytes) ? nil : try modes.read(&cursor, bytes)
            case .steps: steps = try self.steps(bytes)
            }
        }
        guard let id, let name, let origin, let destination, let steps else { throw .invalid }
        return RoutesDocument.Entry(
            id: id, name: name, origin: origin, destination: destination, mode: mode, steps: steps)
    }

    private mutating func steps(
        _ bytes: Span<UInt8>
    ) throws(JSONStop) -> [Strict<RoutesDocument.Step>] {
        var steps: [Strict<RoutesDocument.Step>] = []
        steps.reserveCapacity(usualSteps)
        try cursor.expect("[", bytes)
        while try cursor.hasElement(after: steps.count, bytes) {
            steps.append(Strict(object: try step(bytes)))
        }
        usualSteps = min(steps.count, 100)
        return steps
    }

    private mutating func step(_ bytes: Span<UInt8>) throws(JSONStop) -> RoutesDocument.Step {
        var (minutes, spread) = (Double?.none, Double?.none)
        var (to, bridge) = (String?.none, String?.none)
        stepNames.begin()
        while let field = try stepNames.next(&cursor, bytes) {
            if try cursor.isNull(bytes) { continue }
            switch field {
            case .minutes: minutes = try cursor.decimal(bytes)
            case .spread: spread = try cursor.decimal(bytes)
            case .to: to = try cursor.text(bytes)
            case .bridge: bridge = try cursor.text(bytes)
            }
        }
        return RoutesDocument.Step(minutes: minutes, spread: spread, to: to, bridge: bridge)
    }
}
