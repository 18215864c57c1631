// Everything a model file is made of; ModelFileWriter writes it.
package import BridgecastCore
package import BridgecastEngine

/// Everything a model file is made of.
package struct ModelDraft: Sendable {
    /// Name of the model, as in the file's header.
    package var name: String
    /// Layers in order, from F inputs to K outcomes.
    package var layers: [DenseLayer]
    /// How raw inputs [F] become those of the first layer.
    package var normalisation: InputNormalisation
    /// None for a network that forecasts no bridges; its inputs then have names of their own.
    package var climatology: Climatology?
    /// What the model was fitted to and how, as in the file's header.
    package var provenance: ModelProvenance

    /// Takes the parts as they are and checks nothing.
    package init(
        name: String, layers: [DenseLayer], normalisation: InputNormalisation,
        climatology: Climatology?, provenance: ModelProvenance
    ) {
        self.name = name
        self.layers = layers
        self.normalisation = normalisation
        self.climatology = climatology
        self.provenance = provenance
    }
}

extension ModelDraft {
    /// Inputs and outcomes of a network that forecasts no bridges: numbered.
    var plainFeatures: [ModelHeader.Feature] {
        normalisation.mean.indices.map {
            ModelHeader.Feature(name: "input.\($0)", unit: "one", low: -4, high: 4)
        }
    }

    var plainEdges: [Double] {
        (1..<max(layers.last?.outputs ?? 1, 1)).map { Double($0 - 1) }
    }
}
