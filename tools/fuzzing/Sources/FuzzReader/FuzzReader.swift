// libFuzzer's entry: whatever the bytes are, the reader refuses them or gives a network that runs.
import Bridgecast
import Crypto
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
        run(bytes)
        if count >= 56 {
            let content = bytes.dropLast(32)
            run(Array(content) + Array(SHA256.hash(data: content)))
        }
        return 0
    }
}

private func run(_ bytes: [UInt8]) {
    guard let (_, network) = try? ModelFile.readNetwork(bytes) else { return }
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
