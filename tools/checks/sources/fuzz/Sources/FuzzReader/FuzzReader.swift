// libFuzzer's entry: whatever the bytes are, the reader refuses them or gives a network that runs.
import Bridgecast
import Foundation

/// libFuzzer's loop (compiler-rt/include/fuzzer): it calls back with one input after another.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main
enum FuzzReader {
    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runFuzzer(&count, &arguments, test))
    }

    /// Reads the bytes as they are and with their digest made right, so that the checks behind it are
    /// reached.
    private static let test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = { start, count in
        let bytes = start.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
        if case .digestMismatch(_, let computed) = refusal(bytes) {
            _ = refusal(bytes.dropLast(32) + digest(computed))
        }
        return 0
    }
}

/// The bytes of a digest that the reader tells in hexadecimal.
private func digest(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
}

/// Why the bytes are refused; nil if they are a network, which is run.
private func refusal(_ bytes: [UInt8]) -> ModelFileError? {
    do {
        run(try ModelFile.readNetwork(bytes).network)
        return nil
    } catch {
        return error
    }
}

private func run(_ network: CompiledNetwork) {
    var workspace = Workspace()
    for rows in [1, 3] {
        let features = [Float](repeating: 0.5, count: rows * network.inputs)
        for units in [ComputeUnits.reference, .simd] {
            var logits = [Float](repeating: .nan, count: rows * network.outputs)
            var span = logits.mutableSpan
            network.logits(features.span, into: &span, workspace: &workspace, units: units)
            // A model that is read never gives anything but numbers.
            precondition(logits.allSatisfy(\.isFinite))
        }
    }
}
