// Loading a model for a command, with failures told by file.
import BridgecastEngine
import Foundation

/// Loads model files.
enum ModelLoading {
    /// Loads the named model, or the shipped one.
    static func load(_ path: String?) throws -> LoadedModel {
        let url = try path.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.defaultModel()
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CommandFailure(.missingInput, "\(url.path): there is no such file")
        }
        if InstructionSet.preferred == .scalar {
            note("bridgecast: note: no SIMD kernels in use, forecasts run on OpenBLAS and plain C")
        }
        do {
            return try ModelFile.read(url)
        } catch {
            if case .unreadable = error { throw CommandFailure(.io, "\(url.path): \(error)") }
            throw CommandFailure(.data, "\(url.path): \(error)")
        }
    }
}
