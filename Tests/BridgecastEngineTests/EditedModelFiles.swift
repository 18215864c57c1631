// Model files with one thing changed, and why they are refused; shared by the tests of the format.
@testable import BridgecastEngine
import BridgecastTestSupport
import Testing

/// Reads bytes that must be refused.
func refusal(_ bytes: [UInt8]) -> ModelFileError? {
    do {
        _ = try ModelFile.read(bytes)
        return nil
    } catch {
        return error
    }
}

/// The file with its header replaced by an edited one of the same length (blanks fill up).
func withHeader(
    _ format: WeightFormat = .int8, _ edit: (inout String) -> Void
) -> [UInt8] {
    RejectedFiles.edited(RandomModel.bytes(format)) { content in
        let length = content[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
        var text = String(decoding: content[24..<24 + length], as: UTF8.self)
        edit(&text)
        var header = Array(text.utf8)
        precondition(header.count <= length, "the edited header must not grow")
        header += Array(repeating: UInt8(ascii: " "), count: length - header.count)
        content.replaceSubrange(24..<24 + length, with: header)
    }
}

func offset(of tensor: String, _ format: WeightFormat = .int8) throws -> Int {
    let header = try ModelFile.read(RandomModel.bytes(format)).header
    return try #require(header.tensors.first { $0.name == tensor }).offset
}
