// Recorded realtime messages, given out by the clock as they once came: replays run by it.
public import BridgecastCore
public import Foundation

/// Messages in files with the moments at which they were made.
///
/// A folder may hold several feeds side by side, such as vehicles every 30 seconds and trip updates every half hour:
/// ``source(_:id:)`` gives each its own. Messages without a moment, and files that are none, are in ``notices``.
public struct RealtimeRecording: Sendable {
    /// A recorded message.
    struct Frame: Sendable {
        let url: URL
        let made: Timestamp
        let kinds: Set<RealtimeKind>
    }

    /// Files of a recording; a day of frames every 5 seconds has as many.
    public static let mostFiles = 20_000

    /// Files that cannot be replayed, and why.
    public private(set) var notices = FeedNotices()
    private(set) var frames: [Frame] = []

    /// Finds the messages of a folder, or of a single file.
    ///
    /// Of files that say the same moment the last one by name counts.
    ///
    /// - Throws: `DocumentProblem` if there is nothing to replay.
    /// - Complexity: O(bytes of all files), which are read once here; a frame is read again when its time comes.
    public init(_ folder: URL) throws(DocumentProblem) {
        let isFolder = (try? folder.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory
        try self.init(files: isFolder == true ? try Self.files(in: folder) : [folder])
    }

    /// Takes files in any order.
    ///
    /// - Throws: `DocumentProblem` if none of them is a message with a moment.
    public init(files: [URL]) throws(DocumentProblem) {
        guard files.count <= Self.mostFiles else {
            throw DocumentProblem(
                "", "\(files.count) files; give at most \(Self.mostFiles) at once")
        }
        let files = files.sorted { $0.path < $1.path }
        for url in files { add(url) }
        // Stable: of the same moment the last by name stays last.
        frames = frames.enumerated()
            .sorted { ($0.element.made, $0.offset) < ($1.element.made, $1.offset) }.map(\.element)
        guard !frames.isEmpty else { throw Self.refusal(of: files, notices) }
    }

    /// Why nothing of files can be replayed; each has a notice, in their order.
    private static func refusal(of files: [URL], _ notices: FeedNotices) -> DocumentProblem {
        guard let first = files.first, let notice = notices.kept.first else {
            return DocumentProblem("", "no files to replay")
        }
        guard files.count > 1 else {
            return DocumentProblem(printableEnds(first.relativePath, most: 120), notice.message)
        }
        return DocumentProblem(
            printableEnds(first.deletingLastPathComponent().relativePath, most: 120),
            "none of the \(files.count) files can be replayed; \(notice.file): \(notice.message)")
    }

    private static func files(in folder: URL) throws(DocumentProblem) -> [URL] {
        guard
            let found = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.isRegularFileKey],
                options: [.skipsHiddenFiles])
        else {
            throw DocumentProblem(
                printableEnds(folder.relativePath, most: 120), "the folder cannot be read")
        }
        return found.filter {
            (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
        }
    }

    private mutating func add(_ url: URL) {
        let name = printableEnds(url.lastPathComponent, most: 80)
        do throws(DocumentProblem) {
            let peek = try RealtimePeek(try RealtimeFile.bytes(url))
            guard let made = peek.timestamp else {
                notices.add(
                    .warning, "missing_timestamp", file: name,
                    "says no moment, so that it cannot be replayed; left out")
                return
            }
            frames.append(Frame(url: url, made: made, kinds: peek.kinds))
        } catch {
            notices.add(.warning, "unreadable_file", file: name, "\(error); left out")
        }
    }

    /// The moments from the first message to the last one.
    public var span: ClosedRange<Timestamp> {
        // Never empty: the initialiser refuses that.
        guard let first = frames.first, let last = frames.last else {
            return .earliest ... .earliest
        }
        return first.made...last.made
    }

    /// What its messages are about.
    public var kinds: Set<RealtimeKind> { frames.reduce(into: []) { $0.formUnion($1.kinds) } }

    /// The messages of one kind, or all, as a source; nil if there are none.
    ///
    /// - Parameter id: Which feed it is; the kind's name unless it is another.
    public func source(_ kind: RealtimeKind? = nil, id: String? = nil) -> RecordedRealtimeSource? {
        let chosen = kind.map { kind in frames.filter { $0.kinds.contains(kind) } } ?? frames
        guard !chosen.isEmpty else { return nil }
        return RecordedRealtimeSource(chosen, id: id ?? kind?.rawValue ?? "recording")
    }

    /// A source for each kind that there is.
    public var sources: [RecordedRealtimeSource] {
        RealtimeKind.allCases.compactMap { source($0) }
    }
}
