// A whole document in memory, for readers of small ones; refuses what is no text.
internal import BridgecastCore
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
    /// - Throws: ``DocumentError`` if it is missing, unreadable, empty, too large or not UTF-8.
    public init(_ url: URL) throws(DocumentError) {
        try self.init(try TextWindow(url))
    }

    /// Takes a document that is in memory, such as a reply.
    ///
    /// - Parameter name: What to call it in messages.
    /// - Throws: ``DocumentError`` if it is empty, too large or not UTF-8.
    init(_ data: Data, name: String) throws(DocumentError) {
        try self.init(try TextWindow(Array(data), path: name))
    }

    private init(_ text: TextWindow) throws(DocumentError) {
        var window = text
        while !window.isAtEnd { try window.refill() }
        path = window.path
        bytes = Array(window.bytes[window.start..<window.end])
    }

    /// What a reader makes of the text.
    ///
    /// - Throws: ``DocumentError`` with what the reader finds wrong.
    func content<Content>(
        _ read: (Data) throws(DocumentProblem) -> Content
    ) throws(DocumentError) -> Content {
        do {
            return try read(Data(bytes))
        } catch {
            throw DocumentError(error, in: path)
        }
    }

    /// Opens a file for reading.
    static func open(_ url: URL, _ path: String) throws(DocumentError) -> FileHandle {
        guard url.isFileURL else {
            throw unreadable(
                printable(url.absoluteString), "is no file; fetch it and give its bytes")
        }
        if (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true {
            throw unreadable(path, "is a folder, not a file")
        }
        let descriptor = unsafe Glibc.open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            guard code != ENOENT else {
                throw DocumentError(
                    DocumentProblem("", "there is no such file"), in: path, kind: .missing)
            }
            throw unreadable(path, code: code)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // A pipe has no size; what comes out of it is counted by the reader.
        if let size = try? handle.seekToEnd() {
            guard size <= TextWindow.largestBytes else { throw tooLarge(path) }
            try? handle.seek(toOffset: 0)
        }
        return handle
    }

    /// What to say of a file whose reading failed with an error code.
    static func unreadable(_ path: String, code: Int32) -> DocumentError {
        unreadable(path, "cannot be read (\(words(of: code)))")
    }

    static func tooLarge(_ path: String) -> DocumentError {
        DocumentError(DocumentProblem("", "larger than 1 GiB; split the file"), in: path)
    }

    private static func unreadable(_ path: String, _ problem: String) -> DocumentError {
        DocumentError(DocumentProblem("", problem), in: path, kind: .io)
    }

    private static func words(of code: Int32) -> String {
        unsafe String(cString: strerror(code))
    }
}
