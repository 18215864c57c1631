// A zip file as libarchive reads it: the one place of pointers in reading feeds. Used by FeedFiles.
// Belongs here: where the bytes of a feed's files come from; not: what they mean.
internal import BridgecastCore
private import CArchive
private import Glibc

/// A zip file in memory or on disk.
///
/// Only files that have a directory at their end are read: one that was cut short is refused, not half read.
struct ZipFile: Sendable {
    /// A file in it.
    struct Entry: Equatable {
        /// With folders, as it stands there, `\` made `/`.
        var name: String
        /// Its place among all entries, from 0.
        var place: Int
        /// What it says it unpacks to; nil if it says nothing.
        var bytes: Int?
        var isFolder: Bool
        var isEncrypted: Bool
    }

    /// Where its bytes are.
    enum Contents: Sendable {
        case file(OpenFile)
        case memory([UInt8])
    }

    let contents: Contents

    /// All entries.
    ///
    /// - Throws: A damaged archive, also one with more than so many entries.
    func entries(most: Int) throws(TransitFeedError.Problem) -> [Entry] {
        let stream = try ZipStream.open(contents)
        var entries: [Entry] = []
        while let entry = try stream.nextEntry(place: entries.count) {
            guard entries.count < most else {
                throw .damagedArchive("it holds more than \(most) files")
            }
            entries.append(entry)
        }
        return entries
    }

    /// A stream at the start of an entry's bytes.
    func stream(_ place: Int) throws(TransitFeedError.Problem) -> ZipStream {
        let stream = try ZipStream.open(contents)
        for number in 0...place {
            guard try stream.nextEntry(place: number) != nil else {
                throw .damagedArchive("its directory changed while it was read")
            }
        }
        return stream
    }
}

/// An archive that is being read; it has libarchive's memory, and a copy of bytes that are in memory.
@safe struct ZipStream: ~Copyable {
    private let archive: OpaquePointer
    /// Held open while it is read.
    private let file: OpenFile?
    private let copy: UnsafeMutableRawBufferPointer?

    private init(_ archive: OpaquePointer, _ contents: ZipFile.Contents) {
        unsafe self.archive = unsafe archive
        switch contents {
        case .file(let file): (self.file, unsafe copy) = (file, nil)
        case .memory(let bytes):
            let memory = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(1, bytes.count), alignment: 1)
            unsafe memory.copyBytes(from: bytes)
            (file, unsafe copy) = (nil, unsafe memory)
        }
    }

    /// A stream before the first entry.
    fileprivate static func open(
        _ contents: ZipFile.Contents
    ) throws(TransitFeedError.Problem) -> ZipStream {
        guard let archive = unsafe archive_read_new() else { throw .unreadable("out of memory") }
        let stream = unsafe ZipStream(archive, contents)
        guard stream.begin() == ARCHIVE_OK else { throw .damagedArchive(stream.words) }
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

    /// Goes to the next entry; nil behind the last.
    fileprivate borrowing func nextEntry(
        place: Int
    ) throws(TransitFeedError.Problem) -> ZipFile.Entry? {
        var header: OpaquePointer?
        let code = unsafe archive_read_next_header(archive, &header)
        if code == ARCHIVE_EOF { return nil }
        // A warning is about a name in letters of another system.
        guard code >= ARCHIVE_WARN, let header = unsafe header else { throw .damagedArchive(words) }
        let name = unsafe archive_entry_pathname_utf8(header) ?? archive_entry_pathname(header)
        let size = unsafe archive_entry_size_is_set(header) != 0 ? archive_entry_size(header) : nil
        let kind = unsafe archive_entry_filetype(header) & S_IFMT
        return unsafe ZipFile.Entry(
            name: (name.map { unsafe String(cString: $0) } ?? "").replacing("\\", with: "/"),
            place: place, bytes: size.map { Int($0) }, isFolder: kind == S_IFDIR,
            isEncrypted: archive_entry_is_data_encrypted(header) != 0)
    }

    /// Appends the entry's next bytes, at most so many; how many there were, 0 at the end.
    ///
    /// - Throws: A damaged archive, also where the checksum is another.
    borrowing func append(
        _ wanted: Int, to bytes: inout [UInt8]
    ) throws(TransitFeedError.Problem) -> Int {
        var count = 0
        let archive = unsafe archive
        bytes.append(addingCapacity: wanted) { block in
            unsafe block.withUnsafeMutableBufferPointer { block, filled in
                count = unsafe archive_read_data(archive, block.baseAddress, wanted)
                filled = min(wanted, max(0, count))
            }
        }
        guard count >= 0 else { throw .damagedArchive(words) }
        return count
    }

    /// What libarchive says about its last error.
    private var words: String {
        guard let words = unsafe archive_error_string(archive) else { return "no reason given" }
        return unsafe String(cString: words)
    }
}
