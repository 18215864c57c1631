// Matrices as .npy files, which numpy reads: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
import Foundation

/// Writes dense row-major matrices for numpy.
enum NumpyFile {
    /// Writes fp32 numbers.
    static func write(_ values: [Float], shape: [Int], to file: OutputFile) throws {
        try write(values.flatMap { bytes($0.bitPattern) }, "<f4", shape, file)
    }

    /// Writes bytes.
    static func write(_ values: [UInt8], shape: [Int], to file: OutputFile) throws {
        try write(values, "|u1", shape, file)
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func write(
        _ content: [UInt8], _ type: String, _ shape: [Int], _ file: OutputFile
    ) throws {
        let sizes = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
        var header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(sizes)), }"
        // Magic, version and length take 10 bytes; what follows begins at a multiple of 64.
        header += String(repeating: " ", count: 63 - (10 + header.utf8.count) % 64) + "\n"
        let length = UInt16(header.utf8.count)
        var data = Data([0x93]) + Data("NUMPY".utf8) + Data([1, 0])
        data += Data([UInt8(length & 255), UInt8(length >> 8)]) + Data(header.utf8) + Data(content)
        try file.write(data)
    }
}
