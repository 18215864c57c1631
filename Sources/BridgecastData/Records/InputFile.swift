// Reads a whole input file and refuses what is no text: used by every reader of outside files.
private import BridgecastCore
private import Crypto
public import Foundation

/// The bytes of an input file, checked to be UTF-8 text.
public struct InputFile: Sendable {
    /// Where it came from.
    public let path: String
    /// All bytes.
    let bytes: [UInt8]
    /// The text without a byte order mark.
    let text: ArraySlice<UInt8>

    /// Larger files are refused, 1 GiB.
    static let largestBytes = 1 << 30

    /// Reads a file.
    ///
    /// - Throws: ``RecordFileError`` if it is missing, unreadable, empty, too large or not UTF-8.
    public init(_ url: URL) throws(RecordFileError) {
        let path = url.relativePath
        self.path = path
        bytes = try Self.read(url, path)
        guard !bytes.isEmpty else {
            throw RecordFileError(.content, path: path, reason: "the file is empty")
        }
        let isUTF16 = bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
        guard !isUTF16 else {
            throw RecordFileError(
                .content, path: path,
                reason: "the file is UTF-16; convert it: iconv -f UTF-16 -t UTF-8 IN > OUT")
        }
        text = bytes.dropFirst(bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
        if let offset = text.firstIndex(of: 0) {
            throw RecordFileError(
                .content, path: path, reason: "not a text file: a zero byte at offset \(offset)")
        }
        guard String(validating: text, as: UTF8.self) != nil else {
            throw RecordFileError(
                .content, path: path,
                reason: "the text is not UTF-8; convert it: iconv -f WINDOWS-1252 -t UTF-8 IN > OUT"
            )
        }
        guard text.contains(where: { $0 > 32 }) else {
            throw RecordFileError(.content, path: path, reason: "the file holds nothing but blanks")
        }
    }

    /// SHA-256 of the file, hexadecimal, as `sha256sum` prints it.
    public var sha256: String { hexadecimal(SHA256.hash(data: bytes)) }

    /// The file name without folders.
    public var name: String { String(path.split(separator: "/").last ?? Substring(path)) }

    /// The first byte that is no blank.
    var firstCharacter: UInt8 { text.first { $0 > 32 } ?? 0 }

    private static func read(_ url: URL, _ path: String) throws(RecordFileError) -> [UInt8] {
        if (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true {
            throw RecordFileError(.unreadable, path: path, reason: "is a folder, not a file")
        }
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            // A pipe has no size; what comes out of it is counted below.
            if let size = try? handle.seekToEnd() {
                guard size <= largestBytes else { throw tooLarge(path) }
                try handle.seek(toOffset: 0)
            }
            var bytes: [UInt8] = []
            while let chunk = try handle.read(upToCount: 1 << 22), !chunk.isEmpty {
                bytes += chunk
                guard bytes.count <= largestBytes else { throw tooLarge(path) }
            }
            return bytes
        } catch let error as RecordFileError {
            throw error
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            throw RecordFileError(.missing, path: path, reason: "there is no such file")
        } catch {
            throw RecordFileError(
                .unreadable, path: path, reason: "cannot be read (\(error.localizedDescription))")
        }
    }

    private static func tooLarge(_ path: String) -> RecordFileError {
        RecordFileError(.content, path: path, reason: "larger than 1 GiB; split the file")
    }
}
