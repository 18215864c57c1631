// From a valid container to a model: what the tensors must be, and what their values may be.
private import BridgecastCore

/// Builds a ``LoadedModel`` from a container, checking meaning and values.
struct ModelAssembler {
    private let container: ModelContainer
    private let header: ModelHeader
    private let plan: TensorPlan

    init(_ container: ModelContainer) throws(ModelFileError) {
        self.container = container
        header = container.header
        plan = TensorPlan(header)
        try checkHeader()
        try checkLayers()
        for tensor in header.tensors where plan[tensor.name] == nil {
            throw .unexpectedTensor(tensor.name)
        }
    }

    /// The forecast model, whose inputs, bins and bridges must be this program's.
    func model() throws(ModelFileError) -> LoadedModel {
        // The hash was found to be that of the list, so equal lists are equal hashes.
        guard header.features == ModelHeader.currentFeatures else {
            throw .schemaMismatch(
                file: header.schemaHash, builder: ModelHeader.text(ofHash: FeatureSchema.hash))
        }
        guard header.binEdgesMinutes == DelayBins.edgesMinutes else {
            throw .binsMismatch(file: header.binEdgesMinutes)
        }
        guard header.bridges.map(\.id) == BridgeCatalogue.seattle.map(\.id) else {
            throw .bridgesMismatch(file: header.bridges.map(\.id.description))
        }
        return LoadedModel(
            header: header, climatology: try climatology(), network: try network(on: .preferred))
    }

    /// The network alone.
    func network(on instructionSet: InstructionSet) throws(ModelFileError) -> CompiledNetwork {
        let normalisation = InputNormalisation(
            mean: try numbers("input.mean"),
            inverseDeviation: try numbers("input.inverseDeviation", positive: true),
            limit: header.inputLimit)
        return CompiledNetwork(normalisation, try layers(), instructionSet: instructionSet)
    }

    private func checkHeader() throws(ModelFileError) {
        guard !header.features.isEmpty, header.features.count <= ModelFileFormat.widestLayer else {
            throw .valueOutOfRange(
                field: "features", reason: "there must be 1 to \(ModelFileFormat.widestLayer)")
        }
        guard let listed = ModelHeader.schemaHash(of: header.features) else {
            throw .valueOutOfRange(field: "features", reason: "low must not be above high")
        }
        guard header.schemaHash == listed else {
            throw .schemaHashWrong(stored: header.schemaHash, listed: listed)
        }
        guard header.inputLimit.isFinite, header.inputLimit > 0 else {
            throw .valueOutOfRange(field: "inputLimit", reason: "must be above zero")
        }
        let slots = header.climatologySlotsPerDay
        guard slots > 0, slots <= 1440, 1440 % slots == 0 else {
            throw .valueOutOfRange(field: "climatologySlotsPerDay", reason: "must divide 1440")
        }
    }

    private func checkLayers() throws(ModelFileError) {
        let layers = header.layers
        guard (1...ModelFileFormat.mostLayers).contains(layers.count) else {
            throw .badLayers(reason: "there must be 1 to \(ModelFileFormat.mostLayers)")
        }
        var width = header.features.count
        for (index, layer) in layers.enumerated() {
            guard layer.inputs == width else {
                throw .badLayers(reason: "layer \(index) takes \(layer.inputs), but gets \(width)")
            }
            guard (1...ModelFileFormat.widestLayer).contains(layer.outputs) else {
                throw .badLayers(reason: "layer \(index) has \(layer.outputs) outputs")
            }
            guard layer.relu == (index < layers.count - 1) else {
                throw .badLayers(reason: "ReLU belongs after every layer but the last")
            }
            try checkScale(layer, index)
            width = layer.outputs
        }
        let bins = header.binEdgesMinutes.count + 1
        guard width == bins else {
            throw .badLayers(reason: "\(width) outputs for \(bins) delay bins")
        }
    }

    private func checkScale(_ layer: ModelHeader.Layer, _ index: Int) throws(ModelFileError) {
        let field = "layers[\(index)]"
        guard header.weightFormat == .int8 else {
            guard layer.inputScale == nil, layer.inputZeroPoint == nil else {
                throw .valueOutOfRange(field: field, reason: "only int8 layers have input scales")
            }
            return
        }
        guard let scale = layer.inputScale, scale.isFinite, scale > 0 else {
            throw .valueOutOfRange(field: field, reason: "inputScale must be above zero")
        }
        guard let zero = layer.inputZeroPoint, (0...255).contains(zero) else {
            throw .valueOutOfRange(field: field, reason: "inputZeroPoint must be 0 to 255")
        }
        guard index == 0 || zero == 0 else {
            throw .valueOutOfRange(
                field: field, reason: "inputZeroPoint must be 0: ReLU leaves nothing below")
        }
    }

    private func climatology() throws(ModelFileError) -> Climatology {
        let climatology = Climatology(
            slotsPerDay: header.climatologySlotsPerDay,
            openProbability: try numbers("climatology.openProbability"),
            durationSurvival: try numbers("climatology.durationSurvival"),
            openingsPerDay: try numbers("climatology.openingsPerDay"),
            coveredDays: try numbers("climatology.coveredDays"))
        guard let climatology else {
            throw .valueOutOfRange(
                field: "climatology.*", reason: "a table holds something that is no probability")
        }
        return climatology
    }

    private func layers() throws(ModelFileError) -> NetworkLayers {
        switch header.weightFormat {
        case .fp32: return .float(try floatLayers())
        case .fp16: return .half(try floatLayers())
        case .int8: return .quantised(try int8Layers(), input: header.layers[0].activationScale)
        }
    }

    private func int8Layers() throws(ModelFileError) -> [QuantisedLayer] {
        var layers: [QuantisedLayer] = []
        for (index, layer) in header.layers.enumerated() {
            let parts = try QuantisedParts(
                inputs: layer.inputs, outputs: layer.outputs,
                weights: signedBytes("layers.\(index).weight"),
                weightScales: numbers("layers.\(index).scale", positive: true),
                bias: numbers("layers.\(index).bias"))
            let next = index + 1 < header.layers.count ? header.layers[index + 1].inputScale : nil
            guard
                let quantised = parts.layer(input: layer.activationScale, outputScale: next)
            else { throw .sumsTooLarge(layer: index) }
            let largest =
                next == nil
                ? ModelFileFormat.largestOutput / ModelFileFormat.largestSum
                : ModelFileFormat.largestHiddenMultiplier
            guard quantised.multiplier.allSatisfy({ Double($0) < largest }) else {
                throw .valuesTooLarge(layer: index)
            }
            layers.append(quantised)
        }
        return layers
    }

    private func floatLayers() throws(ModelFileError) -> [DenseLayer] {
        var layers: [DenseLayer] = []
        var largest = Double(header.inputLimit)
        for (index, layer) in header.layers.enumerated() {
            let dense = DenseLayer(
                inputs: layer.inputs, outputs: layer.outputs,
                weights: try numbers("layers.\(index).weight"),
                bias: try numbers("layers.\(index).bias"), hasReLU: layer.relu)
            largest = dense.largestOutput(forInputsUpTo: largest)
            guard largest < ModelFileFormat.largestOutput else {
                throw .valuesTooLarge(layer: index)
            }
            layers.append(dense)
        }
        return layers
    }

    private func bytes(_ name: String) throws(ModelFileError) -> ArraySlice<UInt8> {
        guard let tensor = header.tensors.first(where: { $0.name == name }) else {
            throw .missingTensor(name)
        }
        guard let expected = plan[name] else { throw .unexpectedTensor(name) }
        guard tensor.dtype == expected.dtype else {
            throw .wrongNumberFormat(tensor: name, expected: expected.dtype, found: tensor.dtype)
        }
        guard tensor.shape == expected.shape else {
            throw .wrongShape(tensor: name, expected: expected.shape, found: tensor.shape)
        }
        return container.content(of: tensor)
    }

    private func signedBytes(_ name: String) throws(ModelFileError) -> [Int8] {
        unsafe try bytes(name).withUnsafeBytes { unsafe Array($0.bindMemory(to: Int8.self)) }
    }

    private func numbers(
        _ name: String, positive: Bool = false
    ) throws(ModelFileError) -> [Float] {
        let content = try bytes(name)
        let isHalf = plan[name]?.dtype == "f16"
        let count = content.count / (isHalf ? 2 : 4)
        let values = unsafe content.withUnsafeBytes { content in
            // The sizes were checked: the tensor has so many numbers.
            (0..<count).map { index in
                if isHalf {
                    let bits = unsafe content.loadUnaligned(
                        fromByteOffset: index * 2, as: UInt16.self)
                    return Float(Float16(bitPattern: UInt16(littleEndian: bits)))
                }
                let bits = unsafe content.loadUnaligned(
                    fromByteOffset: index * 4, as: UInt32.self)
                return Float(bitPattern: UInt32(littleEndian: bits))
            }
        }
        for (index, value) in values.enumerated() {
            guard value.isFinite else { throw .notFinite(tensor: name, index: index) }
            guard !positive || value > 0 else { throw .notPositive(tensor: name, index: index) }
        }
        return values
    }
}

extension ModelHeader.Layer {
    fileprivate var activationScale: ActivationScale {
        ActivationScale(scale: inputScale ?? 1, zeroPoint: inputZeroPoint ?? 0)
    }
}

extension DenseLayer {
    /// A bound on the magnitude of any output, given one on that of the inputs.
    fileprivate func largestOutput(forInputsUpTo input: Double) -> Double {
        (0..<outputs).reduce(0) { largest, o in
            let row = weights[o * inputs..<(o + 1) * inputs]
            let sum = row.reduce(Double(abs(bias[o]))) { $0 + Double(abs($1)) * input }
            return max(largest, sum)
        }
    }
}
