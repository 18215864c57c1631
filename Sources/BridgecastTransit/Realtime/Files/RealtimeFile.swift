// A file with a realtime message, read whole within bounds; for recordings and for files that are kept new.
// Belongs here: realtime messages from files, recorded or kept new by another program; not: what they say.
internal import BridgecastCore
internal import Foundation

/// Reads files of messages.
enum RealtimeFile {
    /// What tells that a file has changed.
    struct State: Equatable {
        let bytes: Int
        let changed: Date?
        let number: Int?
    }

    /// A file's state.
    ///
    /// - Throws: `DocumentProblem` that says why there is none.
    static func state(_ url: URL) throws(DocumentProblem) -> State {
        let path = printableEnds(url.relativePath, most: 120)
        guard let found = try? FileManager.default.attributesOfItem(atPath: url.path) else {
            throw DocumentProblem(path, "there is no such file")
        }
        guard found[.type] as? FileAttributeType == .typeRegular else {
            // A link leads elsewhere; anything else is no file.
            let target = url.resolvingSymlinksInPath()
            guard target.path != url.path else { throw DocumentProblem(path, "is no file") }
            return try state(target)
        }
        return State(
            bytes: found[.size] as? Int ?? 0, changed: found[.modificationDate] as? Date,
            number: found[.systemFileNumber] as? Int)
    }

    /// A file's bytes.
    ///
    /// - Throws: `DocumentProblem` if it is missing, unreadable, or larger than any feed.
    static func bytes(_ url: URL) throws(DocumentProblem) -> [UInt8] {
        let path = printableEnds(url.relativePath, most: 120)
        guard try state(url).bytes <= RealtimeIntake.mostBytes else {
            throw DocumentProblem(path, "larger than any realtime feed")
        }
        do {
            let handle = try FileHandle(forReadingFrom: url)
            // It may grow while it is read.
            let data = try handle.read(upToCount: RealtimeIntake.mostBytes + 1) ?? Data()
            return Array(data)
        } catch {
            throw DocumentProblem(path, "cannot be read")
        }
    }
}
