// The sections of a network file as arrays; only here do its bytes become values.
import BridgecastCore
import BridgecastSupport
package import Foundation

/// A network file, read section by section from first to last, and digested on the way.
///
/// Its values may be trusted only once `finish()` has compared the digest.
@safe final class RoadSections {
    let file: String
    private let bytes: RoadFileBytes
    private let sectionCount: Int
    private let statedDigest: [UInt8]
    private var digest = SHA256()
    private var entries: [UInt32: (range: Range<Int>, elementBytes: Int)] = [:]

    init(_ bytes: RoadFileBytes) throws(RoadNetworkError) {
        self.bytes = bytes
        file = bytes.file
        guard bytes.count >= RoadFileFormat.headerBytes else {
            throw .format(file: bytes.file, problem: "it does not begin like one")
        }
        let header = try bytes.next(RoadFileFormat.headerBytes)
        sectionCount = Int(Self.value(header, at: 12, as: UInt32.self))
        statedDigest = Array(header[24..<56])
        guard header.starts(with: RoadFileFormat.magic) else {
            throw .format(file: file, problem: "it does not begin like one")
        }
        let version = Int(Self.value(header, at: 8, as: UInt32.self))
        guard (RoadFileFormat.oldestVersion...RoadFileFormat.version).contains(version) else {
            throw .version(file: file, found: version, known: RoadFileFormat.version)
        }
        let length = Self.value(header, at: 16, as: UInt64.self)
        guard length == UInt64(bytes.count) else {
            throw .damaged(file: file, problem: "\(bytes.count) bytes where it says \(length)")
        }
    }

    func readTable() throws(RoadNetworkError) {
        let entryBytes = RoadFileFormat.entryBytes
        guard sectionCount <= 1_000, sectionCount * entryBytes <= bytes.count - bytes.position
        else { throw .damaged(file: file, problem: "\(sectionCount) sections do not fit") }
        let table = try array(count: sectionCount * entryBytes, of: UInt8.self)
        for number in 0..<sectionCount {
            let offset = number * entryBytes
            let elementBytes = Int(Self.value(table, at: offset + 4, as: UInt32.self))
            let start = Self.value(table, at: offset + 8, as: UInt64.self)
            let elements = Self.value(table, at: offset + 16, as: UInt64.self)
            let (size, overflow) = elements.multipliedReportingOverflow(by: UInt64(elementBytes))
            guard !overflow, start <= UInt64(bytes.count), size <= UInt64(bytes.count) - start
            else { throw .damaged(file: file, problem: "section \(number) ends after the file") }
            entries[Self.value(table, at: offset, as: UInt32.self)] = (
                Int(start)..<Int(start + size), elementBytes
            )
        }
    }

    /// The elements of a section; sections must be read in the order of the file.
    func array<Element: BitwiseCopyable>(
        _ number: UInt32, _ name: String, of type: Element.Type
    ) throws(RoadNetworkError) -> [Element] {
        try array(count: begin(number, name, type), of: type)
    }

    @inline(__always)
    func array<Element: BitwiseCopyable, Made>(
        _ number: UInt32, _ name: String, of type: Element.Type, transform: (Element) -> Made
    ) throws(RoadNetworkError) -> [Made] {
        var left = try begin(number, name, type)
        var made: [Made] = []
        made.reserveCapacity(left)
        while left > 0 {
            let count = min(left, RoadFileFormat.windowBytes / MemoryLayout<Element>.stride)
            for element in try array(count: count, of: type) { made.append(transform(element)) }
            left -= count
        }
        return made
    }

    /// Reads the rest, and compares the digest of all bytes with that of the header.
    func finish() throws(RoadNetworkError) {
        try skip(to: bytes.count)
        guard digest.finish() == statedDigest else {
            throw .damaged(file: file, problem: "its digest is not that of its bytes")
        }
    }

    /// Skips to the first element of a section, and returns the number of elements.
    private func begin<Element: BitwiseCopyable>(
        _ number: UInt32, _ name: String, _ type: Element.Type
    ) throws(RoadNetworkError) -> Int {
        guard let (range, elementBytes) = entries[number] else {
            throw .damaged(file: file, problem: "section '\(name)' is missing")
        }
        guard elementBytes == MemoryLayout<Element>.stride else {
            throw .damaged(file: file, problem: "section '\(name)' has other elements")
        }
        guard range.lowerBound >= bytes.position else {
            throw .damaged(
                file: file, problem: "section '\(name)' begins before the one before it ends")
        }
        try skip(to: range.lowerBound)
        return range.count / elementBytes
    }

    private func skip(to end: Int) throws(RoadNetworkError) {
        while bytes.position < end {
            let part = min(end - bytes.position, RoadFileFormat.windowBytes)
            _ = try array(count: part, of: UInt8.self)
        }
    }

    private func array<Element: BitwiseCopyable>(
        count: Int, of type: Element.Type
    ) throws(RoadNetworkError) -> [Element] {
        var failure: RoadNetworkError?
        let elements = unsafe [Element](unsafeUninitializedCapacity: count) { elements, filled in
            // Safe: any bytes are a value of a type of plain numbers; the readers check what they mean.
            let all = unsafe UnsafeMutableRawBufferPointer(
                start: elements.baseAddress, count: count * MemoryLayout<Element>.stride)
            do throws(RoadNetworkError) {
                try unsafe read(into: all)
                filled = count
            } catch { failure = error }
        }
        if let failure { throw failure }
        return elements
    }

    /// Reads window by window, so that bytes are digested while they are in the cache.
    private func read(into all: UnsafeMutableRawBufferPointer) throws(RoadNetworkError) {
        var rest = unsafe all[...]
        while unsafe !rest.isEmpty {
            let window = unsafe UnsafeMutableRawBufferPointer(
                rebasing: rest.prefix(RoadFileFormat.windowBytes))
            try unsafe bytes.read(into: window)
            unsafe digest.update(UnsafeRawBufferPointer(window))
            unsafe rest = rest.dropFirst(window.count)
        }
    }

    private static func value<Value: BitwiseCopyable>(
        _ bytes: [UInt8], at offset: Int, as type: Value.Type
    ) -> Value {
        unsafe bytes.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: offset, as: type)
        }
    }
}

/// Bytes that are read once, from first to last; of a file no more is in memory than the caller asks for.
@safe package final class RoadFileBytes {
    let file: String
    let count: Int
    private(set) var position = 0
    private let source: Source

    private enum Source {
        case memory(Data)
        case file(LocalFile)
    }

    init(_ bytes: Data, file: String) throws(RoadNetworkError) {
        self.file = file
        count = bytes.count
        source = .memory(bytes)
        guard count <= RoadFileFormat.maxBytes else { throw tooLarge }
    }

    /// Opens a regular file that is not too large.
    init(_ url: URL) throws(RoadNetworkError) {
        let name = url.isFileURL ? url.path : url.absoluteString
        let opened: LocalFile
        do throws(LocalFileError) {
            opened = try LocalFile(url)
        } catch {
            throw .unreadable(file: name, reason: error.message, isMissing: error == .missing)
        }
        file = name
        count = opened.byteCount
        source = .file(opened)
        guard count <= RoadFileFormat.maxBytes else { throw tooLarge }
    }

    /// - Precondition: That many bytes are left.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(RoadNetworkError) {
        precondition(buffer.count <= count - position)
        switch source {
        case .memory(let data):
            let start = data.startIndex + position
            unsafe data.copyBytes(to: buffer, from: start..<start + buffer.count)
        case .file(let opened):
            let filled: Int
            do throws(LocalFileError) {
                filled = try unsafe opened.read(into: buffer)
            } catch {
                throw .unreadable(file: file, reason: error.message, isMissing: false)
            }
            guard filled == buffer.count else {
                throw .damaged(
                    file: file,
                    problem: "it was truncated to \(position + filled) bytes while it was read")
            }
        }
        position += buffer.count
    }

    /// - Precondition: That many are left.
    func next(_ count: Int) throws(RoadNetworkError) -> [UInt8] {
        var failure: RoadNetworkError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            do throws(RoadNetworkError) {
                try unsafe read(
                    into: UnsafeMutableRawBufferPointer(start: bytes.baseAddress, count: count))
                filled = count
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    package static func digest(
        of url: URL
    ) throws(RoadNetworkError) -> (count: Int, sha256: [UInt8]) {
        let bytes = try RoadFileBytes(url)
        var digest = SHA256()
        while bytes.position < bytes.count {
            let window = min(RoadFileFormat.windowBytes, bytes.count - bytes.position)
            let part = try bytes.next(window)
            digest.update(part.span)
        }
        return (bytes.count, digest.finish())
    }

    private var tooLarge: RoadNetworkError {
        .format(file: file, problem: "it is larger than a gigabyte")
    }
}
