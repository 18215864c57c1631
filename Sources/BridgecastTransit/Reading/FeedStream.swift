// The bytes of a feed's files, from a zip file (libarchive) or from a folder. Unsafe pointers of
// reading feeds are here alone.
internal import BridgecastSupport
private import CArchive
internal import Foundation
private import Glibc

/// One file of a feed that is being read.
enum FeedStream: ~Copyable {
    case zip(ZipStream)
    case file(LocalFile)

    /// Appends at most `max` bytes and returns how many there were, 0 at the end.
    borrowing func append(max: Int, to bytes: inout [UInt8]) throws(TransitFeedError.Problem) -> Int
    {
        switch self {
        case .zip(let stream): return try stream.append(max: max, to: &bytes)
        case .file(let file):
            do {
                return try file.append(max, to: &bytes)
            } catch {
                throw TransitFeedError.Problem(error)
            }
        }
    }

    static func openFile(
        _ url: URL, maxBytes: Int = .max
    ) throws(TransitFeedError.Problem) -> LocalFile {
        do {
            return try LocalFile(url, maxBytes: maxBytes)
        } catch {
            throw TransitFeedError.Problem(error)
        }
    }
}

extension TransitFeedError.Problem {
    init(_ error: LocalFileError) {
        self =
            switch error {
            case .missing: .noSuchFile
            case .tooLarge(let bytes, let max): .tooLarge(bytes: bytes, max: max)
            case .system(let code): .unreadable(LocalFileError.description(of: code))
            default: .unreadable("it " + error.message)
            }
    }
}

// MARK: - Zip files

/// A zip file in memory or on disk.
///
/// Only files with a central directory at their end are read: a truncated one is refused, not half read.
struct ZipFile: Sendable {
    struct Entry: Equatable {
        /// The path within it, `\` replaced by `/`.
        var name: String
        var index: Int
        /// The stated unpacked size; nil if not stated.
        var bytes: Int?
        var isFolder: Bool
        var isEncrypted: Bool
    }

    enum Contents: Sendable {
        case file(LocalFile)
        case memory([UInt8])
    }

    let contents: Contents

    /// All entries.
    ///
    /// - Throws: ``TransitFeedError/Problem/damagedArchive(_:)``, also for more than `max` entries.
    func entries(max: Int) throws(TransitFeedError.Problem) -> [Entry] {
        let stream = try ZipStream.open(contents)
        var entries: [Entry] = []
        while let entry = try stream.nextEntry(index: entries.count) {
            guard entries.count < max else {
                throw .damagedArchive("it contains more than \(max) files")
            }
            entries.append(entry)
        }
        return entries
    }

    /// A stream at the start of an entry's bytes.
    func stream(_ index: Int) throws(TransitFeedError.Problem) -> ZipStream {
        let stream = try ZipStream.open(contents)
        for entry in 0...index {
            guard try stream.nextEntry(index: entry) != nil else {
                throw .damagedArchive("its directory changed while it was read")
            }
        }
        return stream
    }
}

/// An archive that is being read; it owns libarchive's state and a copy of bytes that are in memory.
@safe struct ZipStream: ~Copyable {
    private let archive: OpaquePointer
    /// Keeps the file open while it is read.
    private let file: LocalFile?
    private let copy: UnsafeMutableRawBufferPointer?

    private init(_ archive: OpaquePointer, _ contents: ZipFile.Contents) {
        unsafe self.archive = unsafe archive
        switch contents {
        case .file(let file):
            self.file = file
            unsafe copy = nil
        case .memory(let bytes):
            let memory = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(1, bytes.count), alignment: 1)
            unsafe memory.copyBytes(from: bytes)
            file = nil
            unsafe copy = unsafe memory
        }
    }

    /// A stream before the first entry.
    fileprivate static func open(
        _ contents: ZipFile.Contents
    ) throws(TransitFeedError.Problem) -> ZipStream {
        guard let archive = unsafe archive_read_new() else { throw .unreadable("out of memory") }
        let stream = unsafe ZipStream(archive, contents)
        guard stream.begin() == ARCHIVE_OK else { throw .damagedArchive(stream.errorText) }
        return stream
    }

    private borrowing func begin() -> Int32 {
        unsafe archive_read_support_format_zip_seekable(archive)
        if let file {
            lseek(file.descriptor, 0, SEEK_SET)
            return unsafe archive_read_open_fd(archive, file.descriptor, Self.blockBytes)
        }
        return unsafe archive_read_open_memory(archive, copy?.baseAddress, copy?.count ?? 0)
    }

    deinit {
        unsafe archive_read_free(archive)
        unsafe copy?.deallocate()
    }

    private static let blockBytes = 1 << 16

    /// Goes to the next entry; nil after the last.
    fileprivate borrowing func nextEntry(
        index: Int
    ) throws(TransitFeedError.Problem) -> ZipFile.Entry? {
        var header: OpaquePointer?
        let code = unsafe archive_read_next_header(archive, &header)
        if code == ARCHIVE_EOF { return nil }
        // A warning concerns a name in another character set.
        guard code >= ARCHIVE_WARN, let header = unsafe header else {
            throw .damagedArchive(errorText)
        }
        let name = unsafe archive_entry_pathname_utf8(header) ?? archive_entry_pathname(header)
        let size = unsafe archive_entry_size_is_set(header) != 0 ? archive_entry_size(header) : nil
        let kind = unsafe archive_entry_filetype(header) & S_IFMT
        return unsafe ZipFile.Entry(
            name: (name.map { unsafe String(cString: $0) } ?? "").replacing("\\", with: "/"),
            index: index, bytes: size.map { Int($0) }, isFolder: kind == S_IFDIR,
            isEncrypted: archive_entry_is_data_encrypted(header) != 0)
    }

    /// Appends at most `max` bytes of the entry and returns how many there were, 0 at the end.
    ///
    /// - Throws: ``TransitFeedError/Problem/damagedArchive(_:)``, also for a wrong checksum.
    borrowing func append(max: Int, to bytes: inout [UInt8]) throws(TransitFeedError.Problem) -> Int
    {
        var count = 0
        let archive = unsafe archive
        bytes.append(addingCapacity: max) { block in
            unsafe block.withUnsafeMutableBufferPointer { block, filled in
                count = unsafe archive_read_data(archive, block.baseAddress, max)
                filled = min(max, Swift.max(0, count))
            }
        }
        guard count >= 0 else { throw .damagedArchive(errorText) }
        return count
    }

    private var errorText: String {
        guard let text = unsafe archive_error_string(archive) else { return "no reason given" }
        return unsafe String(cString: text)
    }
}
