// Matrices as .npy files, which numpy reads: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
import Foundation

/// Writes dense row-major matrices for numpy, in the byte order of the machine.
enum NumpyFile {
    /// Writes fp32 numbers.
    static func write(_ values: [Float], shape: [Int], to file: OutputFile) throws {
        try write(bytes(of: values), order + "f4", shape, file)
    }

    /// Writes bytes.
    static func write(_ values: [UInt8], shape: [Int], to file: OutputFile) throws {
        try write(Data(values), "|u1", shape, file)
    }

    /// Writes whole numbers of 32 bits.
    static func write(_ values: [Int32], shape: [Int], to file: OutputFile) throws {
        try write(bytes(of: values), order + "i4", shape, file)
    }

    /// Writes whole numbers of 64 bits.
    static func write(_ values: [Int64], shape: [Int], to file: OutputFile) throws {
        try write(bytes(of: values), order + "i8", shape, file)
    }

    private static let order = 1.littleEndian == 1 ? "<" : ">"

    private static func bytes(of values: [some BitwiseCopyable]) -> Data {
        // Safe: the bytes are copied while the array lives.
        unsafe values.withUnsafeBytes { unsafe Data($0) }
    }

    private static func write(
        _ content: Data, _ type: String, _ shape: [Int], _ file: OutputFile
    ) throws {
        let sizes = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
        var header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(sizes)), }"
        // Magic, version and length take 10 bytes; what follows begins at a multiple of 64.
        header += String(repeating: " ", count: 63 - (10 + header.utf8.count) % 64) + "\n"
        let length = UInt16(header.utf8.count)
        var data = Data([0x93]) + Data("NUMPY".utf8) + Data([1, 0])
        data += Data([UInt8(length & 255), UInt8(length >> 8)]) + Data(header.utf8)
        data.append(content)
        try file.write(data)
    }
}
