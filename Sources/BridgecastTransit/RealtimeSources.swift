// Where realtime messages come from: the protocol, files that another program keeps up to date, and recordings. HTTP is in
// BridgecastFeeds; TransitPoller asks.
public import BridgecastCore
public import BridgecastSupport
public import Foundation
private import Synchronization

/// A source of realtime messages.
public protocol RealtimeSource: Sendable {
    /// The feed's identifier, such as `trip_updates`; unique among those of a poller.
    var id: String { get }
    /// What readers must know of all its messages, such as that they are made; nil for nothing.
    var note: String? { get }
    /// The newest message; nil if it is the same as the last time.
    ///
    /// - Throws: Any error whose description is for people; `CancellationError` if the task is cancelled.
    func fetch(at now: Timestamp) async throws -> [UInt8]?
}

extension RealtimeSource {
    /// Nothing.
    public var note: String? { nil }
}

// MARK: - Files

/// Reads a file whenever it has changed.
public final class FileRealtimeSource: RealtimeSource {
    /// Which feed it is.
    public let id: String
    private let url: URL
    private let last = Mutex<MessageFile.State?>(nil)

    /// A source that reads a file, which need not exist yet.
    public init(_ url: URL, id: String) {
        self.url = url
        self.id = id
    }

    /// The file's bytes; nil if it has not changed since they were last returned.
    ///
    /// - Throws: `DocumentProblem` if it is missing, unreadable, or larger than any feed.
    public func fetch(at now: Timestamp) async throws -> [UInt8]? {
        // The state before the bytes: what changes between them is read the next time.
        let state = try MessageFile.state(url)
        guard last.withLock({ $0 != state }) else { return nil }
        let bytes = try MessageFile.bytes(url)
        last.withLock { $0 = state }
        return bytes
    }
}

/// Reads files of messages.
private enum MessageFile {
    /// Tells whether a file has changed.
    struct State: Equatable {
        let bytes: Int
        let changed: Date?
        let number: Int?
    }

    /// The state of a file, or of the file that a link leads to.
    ///
    /// - Throws: `DocumentProblem` if it does not exist or is no file.
    static func state(_ url: URL) throws(DocumentProblem) -> State {
        let path = printableEnds(url.relativePath, maxLength: 120)
        guard let found = try? FileManager.default.attributesOfItem(atPath: url.path) else {
            throw DocumentProblem(path, "there is no such file")
        }
        guard found[.type] as? FileAttributeType == .typeRegular else {
            let target = url.resolvingSymlinksInPath()
            guard target.path != url.path else { throw DocumentProblem(path, "is not a file") }
            return try state(target)
        }
        return State(
            bytes: found[.size] as? Int ?? 0, changed: found[.modificationDate] as? Date,
            number: found[.systemFileNumber] as? Int)
    }

    /// The bytes of a file.
    ///
    /// - Throws: `DocumentProblem` if it is missing, unreadable, or larger than any feed.
    static func bytes(_ url: URL) throws(DocumentProblem) -> [UInt8] {
        do throws(LocalFileError) {
            return try LocalFile.read(url, maxBytes: ReadingContext.maxBytes)
        } catch {
            throw DocumentProblem(printableEnds(url.relativePath, maxLength: 120), error.message)
        }
    }

    /// The bytes of a file; if it is gzip, its content.
    ///
    /// - Throws: `DocumentProblem`, also for gzip that is damaged or larger than any feed.
    static func unpacked(_ url: URL) throws(DocumentProblem) -> [UInt8] {
        let bytes = try bytes(url)
        return RealtimeFeed.isPacked(bytes) ? try RealtimeFeed.unpacked(bytes) : bytes
    }

    /// The messages of a file of many; nil if it is not one.
    ///
    /// The lengths lead exactly to the end, and the first message begins with the tag of its header. JSON is never one,
    /// although `{` could be a length: its text has no control bytes, and a header has. Nor is a single message of Protocol
    /// Buffers, whose first byte could be a length too: then all messages would have to begin with that tag, or it could
    /// not be read.
    static func parts(of bytes: [UInt8], max: Int) -> [Range<Int>]? {
        guard !RealtimeFeed.isJSON(bytes) else { return nil }
        var fields = WireFields(bytes)
        var parts: [Range<Int>] = []
        do throws(WireFields.Damage) {
            while let part = try fields.nextDelimited() {
                guard parts.count < max else { return nil }
                parts.append(part)
            }
        } catch {
            return nil
        }
        let headerTag: UInt8 = 0x0A
        let isWhole = parts.map { !$0.isEmpty && bytes[$0.lowerBound] == headerTag }
        guard isWhole.first == true else { return nil }
        guard isWhole.contains(false) else { return parts }
        return (try? MessageSummary(bytes))?.timestamp == nil ? parts : nil
    }
}

// MARK: - Recordings

/// The content of a realtime feed.
public enum RealtimeKind: String, Sendable, CaseIterable {
    case tripUpdates = "trip_updates"
    case vehicles = "vehicle_positions"
    case alerts

    /// Its entities, for people.
    var plural: String {
        switch self {
        case .tripUpdates: "trip updates"
        case .vehicles: "vehicle positions"
        case .alerts: "alerts"
        }
    }
}

extension RealtimeFeed {
    /// The kinds of its entities; empty without entities.
    var kinds: Set<RealtimeKind> {
        var kinds: Set<RealtimeKind> = []
        for entity in entities {
            if entity.tripUpdate != nil { kinds.insert(.tripUpdates) }
            if entity.vehicle != nil { kinds.insert(.vehicles) }
            if entity.alert != nil { kinds.insert(.alerts) }
        }
        return kinds
    }
}

/// Messages in files with the times at which they were made.
///
/// A file holds one message, or many, each preceded by its length as a varint (protobuf's delimited form); gzip or not.
/// A folder may hold several feeds, such as vehicles every 30 seconds and trip updates every half hour:
/// ``source(_:id:)`` separates them. Messages that cannot be read or have no time, and files that are not messages, are left
/// out and in ``notices``; the rest is played.
public struct RealtimeRecording: Sendable {
    /// A recorded message.
    struct Frame: Sendable {
        let content: Content
        let made: Timestamp
        let kinds: Set<RealtimeKind>
    }

    /// Where the bytes of a message are.
    enum Content: Sendable {
        case file(URL)
        /// In the bytes of a file of many, which its frames share.
        case part(of: [UInt8], Range<Int>)

        /// - Throws: `DocumentProblem` if the file is gone.
        func bytes() throws(DocumentProblem) -> [UInt8] {
            switch self {
            case .file(let url): try MessageFile.bytes(url)
            case .part(let bytes, let range): Array(bytes[range])
            }
        }
    }

    /// The maximum number of files, or of messages in a file; a day of frames every 5 seconds has as many.
    public static let maxFiles = 20_000

    /// Files that cannot be replayed, and why.
    public private(set) var notices = FeedNotices()
    private(set) var frames: [Frame] = []

    /// Finds the messages of a folder, or of a single file.
    ///
    /// Of files with the same time the last one by name counts.
    ///
    /// - Throws: `DocumentProblem` if there is nothing to replay.
    /// - Complexity: O(bytes of all files), which are read here once; a file of one message is read again when its time
    ///   comes, and one of many stays in memory.
    public init(_ folder: URL) throws(DocumentProblem) {
        let isFolder = (try? folder.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory
        try self.init(files: isFolder == true ? try Self.files(in: folder) : [folder])
    }

    /// Finds the messages among files in any order.
    ///
    /// - Throws: `DocumentProblem` if none of them is a message with a time.
    public init(files: [URL]) throws(DocumentProblem) {
        guard files.count <= Self.maxFiles else {
            throw DocumentProblem(
                "", "\(files.count) files; give at most \(Self.maxFiles) at once")
        }
        self.init()
        let files = files.sorted { $0.path < $1.path }
        for url in files { add(url) }
        try finish(from: files)
    }

    private init() {}

    /// Sorts the messages by time.
    ///
    /// - Throws: `DocumentProblem` if there are none.
    private mutating func finish(from files: [URL]) throws(DocumentProblem) {
        // Stable: of the same time the last by name stays last.
        frames = frames.enumerated()
            .sorted { ($0.element.made, $0.offset) < ($1.element.made, $1.offset) }.map(\.element)
        guard !frames.isEmpty else { throw Self.refusal(of: files, notices) }
    }

    /// Why no file can be replayed; each has a notice, in the order of the files.
    private static func refusal(of files: [URL], _ notices: FeedNotices) -> DocumentProblem {
        guard let first = files.first, let notice = notices.kept.first else {
            return DocumentProblem("", "no files to replay")
        }
        guard files.count > 1 else {
            return DocumentProblem(
                printableEnds(first.relativePath, maxLength: 120), notice.message)
        }
        return DocumentProblem(
            printableEnds(first.deletingLastPathComponent().relativePath, maxLength: 120),
            "none of the \(files.count) files can be replayed; \(notice.file): \(notice.message)")
    }

    private static func files(in folder: URL) throws(DocumentProblem) -> [URL] {
        guard
            let found = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.isRegularFileKey],
                options: [.skipsHiddenFiles])
        else {
            throw DocumentProblem(
                printableEnds(folder.relativePath, maxLength: 120), "the folder cannot be read")
        }
        return found.filter {
            (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
        }
    }

    private mutating func add(_ url: URL) {
        let name = printableEnds(url.lastPathComponent, maxLength: 80)
        do throws(DocumentProblem) {
            try add(try MessageFile.unpacked(url), of: url, called: name)
        } catch {
            notices.add(.warning, "unreadable_file", file: name, "\(error); left out")
        }
    }

    /// - Throws: `DocumentProblem` if the bytes are neither a message nor many.
    private mutating func add(
        _ bytes: [UInt8], of url: URL, called name: String
    ) throws(DocumentProblem) {
        guard let parts = MessageFile.parts(of: bytes, max: Self.maxFiles) else {
            if !add(try MessageSummary(bytes), .file(url)) {
                notices.add(
                    .warning, "missing_timestamp", file: name,
                    "has no timestamp and cannot be replayed; left out")
            }
            return
        }
        var bad: (count: Int, offset: Int, problem: String)?
        for part in parts {
            var problem = "has no timestamp"
            do throws(DocumentProblem) {
                if add(try MessageSummary(bytes, in: part), .part(of: bytes, part)) { continue }
            } catch {
                problem = "\(error)"
            }
            bad = ((bad?.count ?? 0) + 1, bad?.offset ?? part.lowerBound, bad?.problem ?? problem)
        }
        guard let bad else { return }
        notices.add(
            .warning, "unreadable_message", file: name,
            "\(bad.count) of \(parts.count) messages cannot be replayed, the first at byte \(bad.offset) "
                + "(\(printable(bad.problem, maxLength: 120))); left out")
    }

    /// Adds a message; false if it has no time.
    private mutating func add(_ summary: MessageSummary, _ content: Content) -> Bool {
        guard let made = summary.timestamp else { return false }
        frames.append(Frame(content: content, made: made, kinds: summary.kinds))
        return true
    }

    /// The recording of a file; nil if it holds one message, which may be replaced by the next.
    ///
    /// - Throws: `DocumentProblem` if none of its messages can be replayed.
    /// - Complexity: O(bytes); it is read and unpacked once.
    public static func recording(in file: URL) throws(DocumentProblem) -> RealtimeRecording? {
        // What cannot be read now may be there later.
        guard let bytes = try? MessageFile.unpacked(file),
            MessageFile.parts(of: bytes, max: maxFiles) != nil
        else { return nil }
        var recording = RealtimeRecording()
        try recording.add(
            bytes, of: file, called: printableEnds(file.lastPathComponent, maxLength: 80))
        try recording.finish(from: [file])
        return recording
    }

    /// The time from the first message to the last one.
    public var span: ClosedRange<Timestamp> {
        // Never empty: the initialiser refuses that.
        guard let first = frames.first, let last = frames.last else {
            return .earliest ... .earliest
        }
        return first.made...last.made
    }

    /// The kinds of content of all messages.
    public var kinds: Set<RealtimeKind> { frames.reduce(into: []) { $0.formUnion($1.kinds) } }

    /// The messages of one kind, or all, as a source; nil if there are none.
    ///
    /// - Parameters:
    ///   - id: The feed's identifier; by default the kind's name.
    ///   - note: What readers must know of the messages.
    public func source(
        _ kind: RealtimeKind? = nil, id: String? = nil, note: String? = nil
    ) -> RecordedRealtimeSource? {
        let chosen = kind.map { kind in frames.filter { $0.kinds.contains(kind) } } ?? frames
        guard !chosen.isEmpty else { return nil }
        return RecordedRealtimeSource(
            chosen, id: id ?? kind?.rawValue ?? "recording", note: note)
    }

    /// A source for each kind that occurs.
    public var sources: [RecordedRealtimeSource] {
        RealtimeKind.allCases.compactMap { source($0) }
    }
}

/// Returns the newest message that had been made by a given time.
public final class RecordedRealtimeSource: RealtimeSource {
    /// Which feed it is.
    public let id: String
    /// What readers must know of all its messages.
    public let note: String?
    /// In order of time.
    private let frames: [RealtimeRecording.Frame]
    private let last = Mutex<Int?>(nil)

    init(_ frames: [RealtimeRecording.Frame], id: String, note: String?) {
        self.frames = frames
        self.id = id
        self.note = note
    }

    /// When the messages were made, in order.
    public var times: [Timestamp] { frames.map(\.made) }

    /// The newest message made at `now` or before; nil if it is the one that was returned last.
    ///
    /// A clock that goes back gets the older message again. After the end the last message stays, and ages.
    ///
    /// - Throws: `DocumentProblem` before the first message, or if its file is gone.
    public func fetch(at now: Timestamp) async throws -> [UInt8]? {
        let index = frames.partitioningIndex { $0.made > now } - 1
        guard index >= 0 else {
            let first = frames.first?.made ?? now
            throw DocumentProblem(
                "",
                "the recording begins \(first.secondsSinceEpoch - now.secondsSinceEpoch) s later")
        }
        guard last.withLock({ $0 != index }) else { return nil }
        let bytes = try frames[index].content.bytes()
        last.withLock { $0 = index }
        return bytes
    }
}

/// What a recording needs to know of a message.
private struct MessageSummary {
    /// When it was made; nil if it does not say.
    private(set) var timestamp: Timestamp?
    /// The kinds of its entities; empty without entities.
    private(set) var kinds: Set<RealtimeKind> = []

    /// Reads no more of a message than it needs.
    ///
    /// - Throws: `DocumentProblem` if the bytes are no message.
    /// - Complexity: O(entities) for Protocol Buffers, O(bytes) for other forms.
    init(_ bytes: [UInt8], in part: Range<Int>? = nil) throws(DocumentProblem) {
        if let summary = try? Self(protobuf: bytes, in: part), summary.timestamp != nil {
            self = summary
            return
        }
        let feed = try RealtimeFeed.read(part.map { Array(bytes[$0]) } ?? bytes).feed
        timestamp = feed.timestamp
        kinds = feed.kinds
    }

    private init(protobuf bytes: [UInt8], in part: Range<Int>?) throws(WireFields.Damage) {
        var context = ReadingContext()
        var fields = WireFields(bytes, in: part)
        while let field = try fields.next() {
            guard field.hasLength else { continue }
            var parts = WireFields(bytes, in: field.content)
            while let part = try parts.next() {
                switch (field.number, part.number) {
                case (1, 3): timestamp = part.varint.flatMap { context.time($0, "timestamp") }
                case (2, 3): kinds.insert(.tripUpdates)
                case (2, 4): kinds.insert(.vehicles)
                case (2, 5): kinds.insert(.alerts)
                default: break
                }
            }
        }
    }
}
