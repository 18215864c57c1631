// Which tensors a model must have, in order: what the writer writes and the reader expects.
private import BridgecastCore

/// The tensors that belong to a header, by name and in file order.
package struct TensorPlan {
    package struct Entry {
        package let name: String
        package let dtype: String
        package let shape: [Int]
    }

    package let entries: [Entry]

    subscript(name: String) -> Entry? { entries.first { $0.name == name } }

    package init(_ header: ModelHeader) {
        let inputs = header.list.count
        let bridges = header.bridges.count
        var entries = [
            Entry(name: "input.mean", dtype: "f32", shape: [inputs]),
            Entry(name: "input.inverseDeviation", dtype: "f32", shape: [inputs]),
        ]
        if bridges > 0 {
            entries += [
                Entry(
                    name: "climatology.openProbability", dtype: "f32",
                    shape: [bridges, 2, header.climatologySlotsPerDay]),
                Entry(
                    name: "climatology.durationSurvival", dtype: "f32",
                    shape: [bridges, Climatology.survivalCount]),
                Entry(name: "climatology.openingsPerDay", dtype: "f32", shape: [bridges, 2]),
                Entry(name: "climatology.coveredDays", dtype: "f32", shape: [bridges]),
            ]
            if header.lengthParameters > 0 {
                entries.append(
                    Entry(
                        name: "lengths.parameters", dtype: "f32",
                        shape: [header.lengthParameters]))
            }
        }
        for (index, layer) in header.layers.enumerated() {
            entries.append(
                Entry(
                    name: "layers.\(index).weight", dtype: header.weightFormat.dtype,
                    shape: [layer.outputs, layer.inputs]))
            entries.append(
                Entry(name: "layers.\(index).bias", dtype: "f32", shape: [layer.outputs]))
            if header.weightFormat == .int8 {
                entries.append(
                    Entry(name: "layers.\(index).scale", dtype: "f32", shape: [layer.outputs]))
            }
        }
        self.entries = entries
    }
}

extension ModelHeader {
    /// The inputs of the schema this program has.
    package static var currentFeatures: [Feature] {
        FeatureSchema.features.map {
            Feature(
                name: $0.name, unit: $0.unit.rawValue, low: $0.range.lowerBound,
                high: $0.range.upperBound)
        }
    }

    /// The bridges this program has.
    package static var currentBridges: [BridgeEntry] {
        BridgeCatalogue.seattle.map { BridgeEntry(id: $0.id, name: $0.name) }
    }
}

extension WeightFormat {
    /// What a header calls the numbers of a weight tensor.
    fileprivate var dtype: String {
        switch self {
        case .int8: "i8"
        case .fp16: "f16"
        case .fp32: "f32"
        }
    }
}
