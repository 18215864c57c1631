// A whole input file in memory, for readers of small documents; refuses what is no text.
private import BridgecastCore
public import Foundation
private import Glibc

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
        try self.init(try TextWindow(url))
    }

    /// Takes a document that is in memory, such as a reply.
    ///
    /// - Parameter name: What to call it in messages.
    /// - Throws: ``RecordFileError`` if it is empty, too large or not UTF-8.
    init(_ data: Data, name: String) throws(RecordFileError) {
        try self.init(try TextWindow(Array(data), path: name))
    }

    private init(_ text: TextWindow) throws(RecordFileError) {
        var window = text
        while !window.isAtEnd { try window.refill() }
        path = window.path
        bytes = Array(window.bytes[window.start..<window.end])
    }

    /// Opens a file for reading.
    static func open(_ url: URL, _ path: String) throws(RecordFileError) -> FileHandle {
        guard url.isFileURL else {
            throw RecordFileError(
                .unreadable, path: printable(url.absoluteString),
                reason: "is no file; fetch it and give its bytes")
        }
        if (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true {
            throw RecordFileError(.unreadable, path: path, reason: "is a folder, not a file")
        }
        let descriptor = unsafe Glibc.open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            guard code != ENOENT else {
                throw RecordFileError(.missing, path: path, reason: "there is no such file")
            }
            let words = unsafe String(cString: strerror(code))
            throw RecordFileError(.unreadable, path: path, reason: "cannot be read (\(words))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // A pipe has no size; what comes out of it is counted by the reader.
        if let size = try? handle.seekToEnd() {
            guard size <= TextWindow.largestBytes else { throw tooLarge(path) }
            try? handle.seek(toOffset: 0)
        }
        return handle
    }

    static func unreadable(_ path: String, _ error: any Error) -> RecordFileError {
        let inner = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let code = inner.flatMap { $0.domain == NSPOSIXErrorDomain ? Int32($0.code) : nil }
        let words = code.map { unsafe String(cString: strerror($0)) }
        return RecordFileError(
            .unreadable, path: path,
            reason: "cannot be read (\(words ?? "the disk does not answer"))")
    }

    static func tooLarge(_ path: String) -> RecordFileError {
        RecordFileError(.content, path: path, reason: "larger than 1 GiB; split the file")
    }
}
