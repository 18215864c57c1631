// Sections of a network file as arrays: the one place where its bytes become values.
import BridgecastCore
import BridgecastDigest
import Foundation

/// The bytes of a network file, divided into sections.
@safe struct RoadSections {
    let file: String
    private let bytes: Data
    private var entries: [UInt32: (range: Range<Int>, elementBytes: Int)] = [:]

    /// Checks header, digest and table of sections.
    init(_ bytes: Data, file: String) throws(RoadNetworkError) {
        (self.bytes, self.file) = (bytes, file)
        guard bytes.count >= RoadFileFormat.headerBytes, bytes.starts(with: RoadFileFormat.magic)
        else {
            throw .format(file: file, problem: "it does not begin as one")
        }
        let version = Int(value(at: 8, as: UInt32.self))
        guard (RoadFileFormat.oldestVersion...RoadFileFormat.version).contains(version) else {
            throw .version(file: file, found: version, known: RoadFileFormat.version)
        }
        let length = value(at: 16, as: UInt64.self)
        guard length == UInt64(bytes.count) else {
            throw .damaged(file: file, problem: "\(bytes.count) bytes where it says \(length)")
        }
        var digest = SHA256()
        unsafe bytes.withUnsafeBytes { all in
            unsafe digest.update(
                UnsafeRawBufferPointer(rebasing: all[RoadFileFormat.headerBytes...]))
        }
        guard digest.finish() == Array(bytes[bytes.startIndex + 24..<bytes.startIndex + 56]) else {
            throw .damaged(file: file, problem: "its digest is not that of its bytes")
        }
        try readTable(Int(value(at: 12, as: UInt32.self)))
    }

    private mutating func readTable(_ count: Int) throws(RoadNetworkError) {
        let first = RoadFileFormat.headerBytes
        guard count <= 1_000, first + count * RoadFileFormat.entryBytes <= bytes.count else {
            throw .damaged(file: file, problem: "\(count) sections do not fit")
        }
        for number in 0..<count {
            let at = first + number * RoadFileFormat.entryBytes
            let elementBytes = Int(value(at: at + 4, as: UInt32.self))
            let start = value(at: at + 8, as: UInt64.self)
            let elements = value(at: at + 16, as: UInt64.self)
            let (size, overflow) = elements.multipliedReportingOverflow(by: UInt64(elementBytes))
            guard !overflow, start <= UInt64(bytes.count), size <= UInt64(bytes.count) - start
            else { throw .damaged(file: file, problem: "section \(number) leads out of the file") }
            entries[value(at: at, as: UInt32.self)] = (
                Int(start)..<Int(start + size), elementBytes
            )
        }
    }

    /// The elements of a section.
    func array<Element: BitwiseCopyable>(
        _ number: UInt32, _ name: String, of type: Element.Type
    ) throws(RoadNetworkError) -> [Element] {
        guard let (range, elementBytes) = entries[number] else {
            throw .damaged(file: file, problem: "section '\(name)' is missing")
        }
        guard elementBytes == MemoryLayout<Element>.stride else {
            throw .damaged(file: file, problem: "section '\(name)' has other elements")
        }
        let count = range.count / elementBytes
        return unsafe [Element](unsafeUninitializedCapacity: count) { elements, filled in
            // Any bytes are a value of a type of plain numbers; what they mean is checked by the reader.
            unsafe bytes.withUnsafeBytes { all in
                unsafe UnsafeMutableRawBufferPointer(elements).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: all[range]))
            }
            filled = count
        }
    }

    private func value<Value: BitwiseCopyable>(at offset: Int, as type: Value.Type) -> Value {
        unsafe bytes.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: offset, as: type)
        }
    }
}
