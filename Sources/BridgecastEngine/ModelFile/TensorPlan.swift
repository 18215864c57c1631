// Which tensors a model must have, in order: what the writer writes and the reader expects.
private import BridgecastCore

/// The tensors that belong to a header, by name and in file order.
struct TensorPlan {
    struct Entry {
        let name: String
        let dtype: String
        let shape: [Int]
    }

    let entries: [Entry]

    subscript(name: String) -> Entry? { entries.first { $0.name == name } }

    init(_ header: ModelHeader) {
        let inputs = header.features.count
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
        }
        let weights = ["int8": "i8", "fp16": "f16", "fp32": "f32"][header.weightFormat.rawValue]
        for (index, layer) in header.layers.enumerated() {
            entries.append(
                Entry(
                    name: "layers.\(index).weight", dtype: weights ?? "f32",
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
    static var currentFeatures: [Feature] {
        FeatureSchema.features.map {
            Feature(
                name: $0.name, unit: $0.unit.rawValue, low: $0.range.lowerBound,
                high: $0.range.upperBound)
        }
    }

    /// The bridges this program has.
    static var currentBridges: [BridgeEntry] {
        BridgeCatalogue.seattle.map { BridgeEntry(id: $0.id, name: $0.name) }
    }
}
