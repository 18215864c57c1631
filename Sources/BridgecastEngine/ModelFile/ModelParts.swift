// What a model file holds, checked and free of the file's bytes: ModelFile packs it when they are gone.
internal import BridgecastCore

/// A model that is not packed for a CPU yet.
struct ModelParts {
    let header: ModelHeader
    let climatology: Climatology
    let network: NetworkParts

    init(header: ModelHeader, climatology: Climatology, network: NetworkParts) {
        (self.header, self.climatology, self.network) = (header, climatology, network)
    }

    /// Reads and checks the bytes of a file, which no part refers to.
    init(_ bytes: [UInt8]) throws(ModelFileError) {
        self = try ModelAssembler(ModelContainer(bytes)).model()
    }
}

extension LoadedModel {
    /// Packs a model for this CPU.
    init(_ parts: ModelParts) {
        self.init(
            header: parts.header, climatology: parts.climatology,
            network: parts.network.packed(for: .preferred, runsOnLists: true))
    }
}
