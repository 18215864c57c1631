// Reads .bcm files: checks everything about the bytes before a number is used.
// Belongs here: the .bcm format and everything that is checked about a file; not: writing one (BridgecastTraining).
public import Foundation

/// Reads model files.
public enum ModelFile {
    /// Reads and validates a model file.
    ///
    /// The file is read whole into memory: later changes to it cannot reach the model.
    /// - Throws: ``ModelFileError``, one case per rule of the format.
    public static func read(_ url: URL) throws(ModelFileError) -> LoadedModel {
        // The file's bytes are gone before the network is packed.
        let parts = try ModelParts(bytes(of: url))
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
        let (header, network) = try networkParts(bytes(of: url))
        return (header, network.packed(for: instructionSet, runsOnLists: runsOnLists))
    }

    /// Reads and validates a network from the bytes of a file.
    ///
    /// - Throws: ``ModelFileError``. Memory is bounded by the number of bytes.
    public static func readNetwork(
        _ bytes: [UInt8], instructionSet: InstructionSet = .preferred, runsOnLists: Bool = false
    ) throws(ModelFileError) -> (header: ModelHeader, network: CompiledNetwork) {
        let (header, network) = try networkParts(bytes)
        return (header, network.packed(for: instructionSet, runsOnLists: runsOnLists))
    }

    /// Reads and validates a model from the bytes of a file.
    ///
    /// - Throws: ``ModelFileError``. Memory is bounded by the number of bytes.
    public static func read(_ bytes: [UInt8]) throws(ModelFileError) -> LoadedModel {
        LoadedModel(try ModelParts(bytes))
    }

    private static func networkParts(
        _ bytes: [UInt8]
    ) throws(ModelFileError) -> (ModelHeader, NetworkParts) {
        let container = try ModelContainer(bytes)
        return (container.header, try ModelAssembler(container).network())
    }
}
