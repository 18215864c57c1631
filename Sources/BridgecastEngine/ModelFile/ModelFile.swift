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
        try read(bytes(of: url))
    }

    /// Reads and validates a network that need not forecast bridges: any inputs and outputs.
    ///
    /// All rules of the format hold, but for those that tie a file to this program's inputs, delay
    /// bins and bridges.
    /// - Throws: ``ModelFileError``.
    public static func readNetwork(
        _ url: URL, instructionSet: InstructionSet = .preferred
    ) throws(ModelFileError) -> (header: ModelHeader, network: CompiledNetwork) {
        try readNetwork(bytes(of: url), instructionSet: instructionSet)
    }

    /// Reads and validates a network from the bytes of a file.
    ///
    /// - Throws: ``ModelFileError``. Memory is bounded by the number of bytes.
    public static func readNetwork(
        _ bytes: [UInt8], instructionSet: InstructionSet = .preferred
    ) throws(ModelFileError) -> (header: ModelHeader, network: CompiledNetwork) {
        let container = try ModelContainer(bytes)
        let assembler = try ModelAssembler(container)
        return (container.header, try assembler.network(on: instructionSet))
    }

    /// Reads and validates a model from the bytes of a file.
    ///
    /// - Throws: ``ModelFileError``. Memory is bounded by the number of bytes.
    public static func read(_ bytes: [UInt8]) throws(ModelFileError) -> LoadedModel {
        let container = try ModelContainer(bytes)
        return try ModelAssembler(container).model()
    }
}
