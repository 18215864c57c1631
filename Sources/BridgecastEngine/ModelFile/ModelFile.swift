// Reads .bcm files: everything about the bytes is checked before a number is used. BridgecastTraining writes them.
internal import BridgecastCore
internal import BridgecastSupport
public import Foundation
private import Glibc

/// Reads model files.
public enum ModelFile {
    /// Reads and validates a model file.
    ///
    /// The file is read whole into memory: later changes to it cannot reach the model.
    /// - Throws: ``ModelFileError``, one case per rule of the format.
    public static func read(_ url: URL) throws(ModelFileError) -> LoadedModel {
        // The file's bytes are gone before the network is packed.
        let parts = try ModelAssembler(ModelContainer(bytes(of: url))).model()
        return LoadedModel(parts)
    }

    /// Reads and validates a network that need not forecast bridges: any inputs and outputs.
    ///
    /// All rules of the format hold, but for those that tie a file to this program's inputs, delay
    /// bins and bridges.
    /// - Parameter runsOnLists: Whether its rows will mostly be ``SparseRows``: it is packed for these then.
    /// - Throws: ``ModelFileError``.
    public static func readNetwork(
        _ url: URL, instructionSet: InstructionSet = .preferred, runsOnLists: Bool = false
    ) throws(ModelFileError) -> (header: ModelHeader, network: CompiledNetwork) {
        try readNetwork(bytes(of: url), instructionSet: instructionSet, runsOnLists: runsOnLists)
    }

    /// Reads and validates a network from the bytes of a file.
    ///
    /// - Throws: ``ModelFileError``. Memory is bounded by the number of bytes.
    public static func readNetwork(
        _ bytes: [UInt8], instructionSet: InstructionSet = .preferred, runsOnLists: Bool = false
    ) throws(ModelFileError) -> (header: ModelHeader, network: CompiledNetwork) {
        let container = try ModelContainer(bytes)
        let network = try ModelAssembler(container).network()
        return (container.header, network.packed(for: instructionSet, runsOnLists: runsOnLists))
    }

    /// Reads and validates a model from the bytes of a file.
    ///
    /// - Throws: ``ModelFileError``. Memory is bounded by the number of bytes.
    public static func read(_ bytes: [UInt8]) throws(ModelFileError) -> LoadedModel {
        LoadedModel(try ModelAssembler(ModelContainer(bytes)).model())
    }
}

// MARK: - Before packing

/// A model that is not packed for a CPU yet.
struct ModelParts {
    let header: ModelHeader
    let climatology: Climatology
    let network: NetworkParts
}

extension LoadedModel {
    init(_ parts: ModelParts) {
        self.init(
            header: parts.header, climatology: parts.climatology,
            network: parts.network.packed(for: .preferred, runsOnLists: true))
    }
}

/// A network that is not packed for a CPU yet.
struct NetworkParts {
    let normalisation: InputNormalisation
    let layers: NetworkLayers

    func packed(for instructionSet: InstructionSet, runsOnLists: Bool = false) -> CompiledNetwork {
        CompiledNetwork(
            normalisation, layers, instructionSet: instructionSet, runsOnLists: runsOnLists)
    }
}

// MARK: - Bytes

extension ModelFile {
    /// All bytes of a file.
    ///
    /// It is read, not mapped: later changes to the file, even while it is being checked, cannot reach the model, and a
    /// file that shrinks cannot crash the program.
    ///
    /// - Parameter pipes: How long to wait for the first byte of a pipe, if one is read at all.
    static func bytes(
        of url: URL, pipes: LocalFile.Pipes = .awaitedAtMost(seconds: 10)
    ) throws(ModelFileError) -> [UInt8] {
        let limit = ModelFileFormat.largestFileBytes
        do throws(LocalFileError) {
            return try LocalFile.read(
                url, maxBytes: limit, pipes: pipes)
        } catch {
            if case .tooLarge(let bytes, _) = error { throw .tooLong(bytes: bytes, max: limit) }
            let name = error == .notLocal ? printable(url.absoluteString) : url.path
            throw .unreadable(reason: "\(name): \(error.message)", isMissing: error.isMissing)
        }
    }

    /// Reads and validates an ordinary file; its errors name it.
    ///
    /// - Throws: ``ModelFileError/refused(file:_:)``.
    static func readFile(_ url: URL) throws(ModelFileError) -> LoadedModel {
        do throws(ModelFileError) {
            return try read(try bytes(of: url, pipes: .refused))
        } catch {
            throw .refused(file: url.path, error)
        }
    }

    /// Reads and validates a model file, and names it.
    ///
    /// - Returns: The model, and the SHA-256 of the whole file in hexadecimal.
    /// - Throws: ``ModelFileError``.
    package static func readNamed(
        _ url: URL
    ) throws(ModelFileError) -> (model: LoadedModel, digest: String) {
        let bytes = try bytes(of: url)
        return (try read(bytes), digest(of: bytes))
    }

    /// SHA-256 of bytes, hexadecimal.
    package static func digest(of bytes: some Sequence<UInt8>) -> String {
        hexadecimal(SHA256.hash(bytes))
    }
}
