// Models on an instruction set that a test chooses, not only on the one that a program would use.
@testable import BridgecastEngine

extension LoadedModel {
    /// The same model, packed for an instruction set.
    func packed(for instructionSet: InstructionSet) -> LoadedModel {
        LoadedModel(
            header: header, climatology: climatology,
            network: CompiledNetwork(
                network.normalisation, network.layers, instructionSet: instructionSet))
    }
}
