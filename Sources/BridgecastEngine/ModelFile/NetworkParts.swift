// The network of a model file, checked and free of the file's bytes; part of ModelParts, and what ModelFile packs alone.

/// A network that is not packed for a CPU yet.
struct NetworkParts {
    let normalisation: InputNormalisation
    let layers: NetworkLayers

    func packed(
        for instructionSet: InstructionSet, runsOnLists: Bool = false
    ) -> CompiledNetwork {
        CompiledNetwork(
            normalisation, layers, instructionSet: instructionSet, runsOnLists: runsOnLists)
    }
}
