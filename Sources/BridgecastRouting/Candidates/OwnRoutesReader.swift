internal import BridgecastSupport

/// Reads documents of our own form without anything unusual, thirty times as fast as Foundation's decoder.
///
/// It reports no errors: wherever a document is not what it should be, or holds what the decoder
/// may read otherwise, such as a name twice, there is no document, and the decoder has to look at it. What the
/// values mean is checked by ``RoutesDocument/checkedRoutes()`` for both.
struct OwnRoutesReader {
    private var cursor: JSONCursor
    private var documentNames = FieldNameMatcher<RoutesDocument.CodingKeys>()
    private var entryNames = FieldNameMatcher<RoutesDocument.Entry.CodingKeys>()
    private var stepNames = FieldNameMatcher<RoutesDocument.Step.CodingKeys>()
    // Candidates mostly share these.
    private var origins = RepeatedText()
    private var destinations = RepeatedText()
    private var modes = RepeatedText()
    /// How many steps the candidate before had, for the memory of the next.
    private var expectedSteps = 1

    private init(_ bytes: Span<UInt8>) { cursor = JSONCursor(of: bytes) }

    /// The document; nil if the decoder has to read it.
    static func document(_ bytes: Span<UInt8>) -> RoutesDocument? {
        guard bytes.count <= TextWindow.maxBytes else { return nil }
        var reader = OwnRoutesReader(bytes)
        return try? reader.document(bytes)
    }

    private mutating func document(_ bytes: Span<UInt8>) throws(JSONReadingError) -> RoutesDocument
    {
        var about: String?
        var routes: [StrictObject<RoutesDocument.Entry>]?
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
    ) throws(JSONReadingError) -> [StrictObject<RoutesDocument.Entry>] {
        var routes: [StrictObject<RoutesDocument.Entry>] = []
        try cursor.expect("[", bytes)
        while try cursor.hasElement(after: routes.count, bytes) {
            routes.append(StrictObject(object: try entry(bytes)))
        }
        return routes
    }

    private mutating func entry(
        _ bytes: Span<UInt8>
    ) throws(JSONReadingError) -> RoutesDocument.Entry {
        var id = String?.none
        var name = String?.none
        var origin = String?.none
        var destination = String?.none
        var mode = String?.none
        var steps: [StrictObject<RoutesDocument.Step>]?
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
    ) throws(JSONReadingError) -> [StrictObject<RoutesDocument.Step>] {
        var steps: [StrictObject<RoutesDocument.Step>] = []
        steps.reserveCapacity(expectedSteps)
        try cursor.expect("[", bytes)
        while try cursor.hasElement(after: steps.count, bytes) {
            steps.append(StrictObject(object: try step(bytes)))
        }
        expectedSteps = min(steps.count, 100)
        return steps
    }

    private mutating func step(_ bytes: Span<UInt8>) throws(JSONReadingError) -> RoutesDocument.Step
    {
        var minutes = Double?.none
        var spread = Double?.none
        var to = String?.none
        var bridge = String?.none
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

/// The last text of a field: where the next one is the same, they share their memory.
struct RepeatedText {
    private var bytes: [UInt8] = []
    private var text = ""

    mutating func read(
        _ cursor: inout JSONCursor, _ document: Span<UInt8>
    ) throws(JSONReadingError) -> String {
        var ahead = cursor
        let (slice, hasEscapes) = try ahead.string(document)
        if !hasEscapes, !bytes.isEmpty, slice.end - slice.start == bytes.count,
            document.holds(bytes.span, at: slice.start)
        {
            cursor = ahead
            return text
        }
        text = try cursor.text(document)
        // An empty one is made anew.
        bytes = hasEscapes ? [] : slice.range.map { document[$0] }
        return text
    }
}
