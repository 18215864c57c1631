// Loading a model for a command, with failures told by file.
package import BridgecastEngine
package import Foundation

/// Loads model files.
package enum ModelLoading {
    /// Loads the named model, or the shipped one.
    static func load(_ path: String?) throws -> LoadedModel {
        try load(path.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.defaultModel())
    }

    /// Loads a model.
    package static func load(_ url: URL) throws -> LoadedModel {
        if InstructionSet.preferred == .scalar {
            remark(["no SIMD kernels in use, forecasts run on OpenBLAS and plain C"])
        }
        do {
            return try ModelFile.read(url)
        } catch .unreadable(_, isMissing: true) {
            throw CommandFailure(.missingInput, "\(url.path): there is no such file")
        } catch .unreadable(let reason, _) {
            // It begins with the path.
            throw CommandFailure(.io, reason)
        } catch {
            throw CommandFailure(error, of: url.path)
        }
    }
}
