// A whole input file in memory, for readers of small documents; refuses what is no text.
public import Foundation

/// The bytes of an input file, checked to be UTF-8 text.
public struct InputFile: Sendable {
    /// Where it came from.
    public let path: String
    /// The text without a byte order mark.
    package let bytes: [UInt8]

    /// Reads a file.
    ///
    /// - Throws: ``RecordFileError`` if it is missing, unreadable, empty, too large or not UTF-8.
    public init(_ url: URL) throws(RecordFileError) {
        var window = try TextWindow(url)
        while !window.isAtEnd { try window.refill() }
        path = window.path
        bytes = Array(window.bytes[window.start..<window.end])
    }

    /// Opens a file for reading.
    static func open(_ url: URL, _ path: String) throws(RecordFileError) -> FileHandle {
        if (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true {
            throw RecordFileError(.unreadable, path: path, reason: "is a folder, not a file")
        }
        do {
            let handle = try FileHandle(forReadingFrom: url)
            // A pipe has no size; what comes out of it is counted by the reader.
            if let size = try? handle.seekToEnd() {
                guard size <= TextWindow.largestBytes else { throw tooLarge(path) }
                try handle.seek(toOffset: 0)
            }
            return handle
        } catch let error as RecordFileError {
            throw error
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            throw RecordFileError(.missing, path: path, reason: "there is no such file")
        } catch {
            throw unreadable(path, error)
        }
    }

    static func unreadable(_ path: String, _ error: any Error) -> RecordFileError {
        RecordFileError(
            .unreadable, path: path, reason: "cannot be read (\(error.localizedDescription))")
    }

    static func tooLarge(_ path: String) -> RecordFileError {
        RecordFileError(.content, path: path, reason: "larger than 1 GiB; split the file")
    }
}
