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
        try load(url) { (url) throws(ModelFileError) in try ModelFile.read(url) }
    }

    /// Loads a model with the SHA-256 of the bytes that it was read from.
    package static func loadNamed(_ url: URL) throws -> (model: LoadedModel, digest: String) {
        try load(url) { (url) throws(ModelFileError) in try ModelFile.readNamed(url) }
    }

    private static func load<Loaded>(
        _ url: URL, by read: (URL) throws(ModelFileError) -> Loaded
    ) throws -> Loaded {
        if InstructionSet.preferred == .scalar {
            remark(["no SIMD kernels in use, forecasts run on OpenBLAS and plain C"])
        }
        do {
            return try read(url)
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
