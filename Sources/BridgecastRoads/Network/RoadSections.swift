// Sections of a network file as arrays: the one place where its bytes become values.
import BridgecastCore
import BridgecastDigest
import Foundation

/// A network file, read section by section from first to last, and digested on the way.
///
/// What it gives is worth nothing before `finish()` has compared the digest.
@safe final class RoadSections {
    let file: String
    private let bytes: RoadFileBytes
    private let sectionCount: Int
    private let statedDigest: [UInt8]
    private var digest = SHA256()
    private var entries: [UInt32: (range: Range<Int>, elementBytes: Int)] = [:]

    /// Reads the header.
    init(_ bytes: RoadFileBytes) throws(RoadNetworkError) {
        (self.bytes, file) = (bytes, bytes.file)
        guard bytes.count >= RoadFileFormat.headerBytes else {
            throw .format(file: bytes.file, problem: "it does not begin as one")
        }
        let header = try bytes.next(RoadFileFormat.headerBytes)
        sectionCount = Int(Self.value(header, at: 12, as: UInt32.self))
        statedDigest = Array(header[24..<56])
        guard header.starts(with: RoadFileFormat.magic) else {
            throw .format(file: file, problem: "it does not begin as one")
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

    /// Reads where the sections lie.
    func readTable() throws(RoadNetworkError) {
        let entryBytes = RoadFileFormat.entryBytes
        guard sectionCount <= 1_000, sectionCount * entryBytes <= bytes.count - bytes.position
        else { throw .damaged(file: file, problem: "\(sectionCount) sections do not fit") }
        let table = try array(count: sectionCount * entryBytes, of: UInt8.self)
        for number in 0..<sectionCount {
            let at = number * entryBytes
            let elementBytes = Int(Self.value(table, at: at + 4, as: UInt32.self))
            let start = Self.value(table, at: at + 8, as: UInt64.self)
            let elements = Self.value(table, at: at + 16, as: UInt64.self)
            let (size, overflow) = elements.multipliedReportingOverflow(by: UInt64(elementBytes))
            guard !overflow, start <= UInt64(bytes.count), size <= UInt64(bytes.count) - start
            else { throw .damaged(file: file, problem: "section \(number) leads out of the file") }
            entries[Self.value(table, at: at, as: UInt32.self)] = (
                Int(start)..<Int(start + size), elementBytes
            )
        }
    }

    /// The elements of a section; sections are asked for in the order in which they lie.
    func array<Element: BitwiseCopyable>(
        _ number: UInt32, _ name: String, of type: Element.Type
    ) throws(RoadNetworkError) -> [Element] {
        try array(count: begin(number, name, type), of: type)
    }

    /// The same, each made into something else as it is read.
    @inline(__always)
    func array<Element: BitwiseCopyable, Made>(
        _ number: UInt32, _ name: String, of type: Element.Type, _ make: (Element) -> Made
    ) throws(RoadNetworkError) -> [Made] {
        var left = try begin(number, name, type)
        var made: [Made] = []
        made.reserveCapacity(left)
        while left > 0 {
            let some = min(left, RoadFileFormat.windowBytes / MemoryLayout<Element>.stride)
            for element in try array(count: some, of: type) { made.append(make(element)) }
            left -= some
        }
        return made
    }

    /// Reads what is left, and compares the digest of all bytes with the one that was stated.
    func finish() throws(RoadNetworkError) {
        try skip(to: bytes.count)
        guard digest.finish() == statedDigest else {
            throw .damaged(file: file, problem: "its digest is not that of its bytes")
        }
    }

    /// Goes to the first element of a section, and tells how many there are.
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

    /// The next elements.
    private func array<Element: BitwiseCopyable>(
        count: Int, of type: Element.Type
    ) throws(RoadNetworkError) -> [Element] {
        var failure: RoadNetworkError?
        let elements = unsafe [Element](unsafeUninitializedCapacity: count) { elements, filled in
            // Any bytes are a value of a type of plain numbers; what they mean is checked by the reader.
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

    /// Window by window, so that bytes are digested while they are at hand.
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
