private import BridgecastCore

/// Builds ``ModelParts`` from a container, checking meaning and values.
struct ModelAssembler {
    private let header: ModelHeader
    private let tensors: TensorReader

    init(_ container: ModelContainer) throws(ModelFileError) {
        header = container.header
        try Self.checkHeader(header)
        try Self.checkLayers(header)
        tensors = try TensorReader(container)
    }

    /// The forecast model, whose inputs, bins and bridges must be this program's.
    func model() throws(ModelFileError) -> ModelParts {
        // The hash was found to be that of the list, so equal lists have equal hashes.
        guard header.list == .own else {
            throw .schemaMismatch(
                file: header.schemaHash, builder: ModelHeader.text(ofHash: FeatureSchema.hash))
        }
        guard header.binEdgesMinutes == DelayBins.edgesMinutes else {
            throw .binsMismatch(file: header.binEdgesMinutes)
        }
        guard header.bridges.map(\.id) == BridgeCatalogue.seattle.map(\.id) else {
            throw .bridgesMismatch(file: header.bridges.map(\.id.description))
        }
        return ModelParts(header: header, climatology: try climatology(), network: try network())
    }

    func network() throws(ModelFileError) -> NetworkParts {
        let normalisation = InputNormalisation(
            mean: try tensors.numbers("input.mean"),
            inverseDeviation: try tensors.numbers("input.inverseDeviation", positive: true),
            limit: header.inputLimit)
        return NetworkParts(normalisation: normalisation, layers: try layers())
    }

    private static func checkHeader(_ header: ModelHeader) throws(ModelFileError) {
        guard (1...ModelFileFormat.widestLayer).contains(header.list.count) else {
            throw .valueOutOfRange(
                field: "features", reason: "there must be 1 to \(ModelFileFormat.widestLayer)")
        }
        guard let listed = header.list.hash else {
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
        let lengths = header.lengthParameters
        guard lengths == 0 || (lengths == LengthLaw.parameterCount && !header.bridges.isEmpty)
        else {
            throw .valueOutOfRange(
                field: "lengthParameters",
                reason: "must be 0 or, for bridges, \(LengthLaw.parameterCount)")
        }
    }

    private static func checkLayers(_ header: ModelHeader) throws(ModelFileError) {
        let layers = header.layers
        guard (1...ModelFileFormat.maxLayers).contains(layers.count) else {
            throw .badLayers(reason: "there must be 1 to \(ModelFileFormat.maxLayers)")
        }
        var width = header.list.count
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
            try checkScale(of: layer, at: index, format: header.weightFormat)
            width = layer.outputs
        }
        let bins = header.binEdgesMinutes.count + 1
        guard width == bins else {
            throw .badLayers(reason: "\(width) outputs for \(bins) delay bins")
        }
    }

    private static func checkScale(
        of layer: ModelHeader.Layer, at index: Int, format: WeightFormat
    ) throws(ModelFileError) {
        let field = "layers[\(index)]"
        guard format == .int8 else {
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
            openProbability: try tensors.numbers("climatology.openProbability"),
            durationSurvival: try tensors.numbers("climatology.durationSurvival"),
            openingsPerDay: try tensors.numbers("climatology.openingsPerDay"),
            coveredSeasonDays: try tensors.numbers("climatology.coveredDays"))
        guard var climatology else {
            throw .valueOutOfRange(
                field: "climatology.*", reason: "a value is not a probability")
        }
        guard header.lengthParameters > 0 else { return climatology }
        climatology.lengthLaw = LengthLaw(try tensors.numbers("lengths.parameters"))
        guard climatology.lengthLaw != nil else { throw .impossibleLengths }
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
                weights: tensors.signedBytes("layers.\(index).weight"),
                weightScales: tensors.numbers("layers.\(index).scale", positive: true),
                bias: tensors.numbers("layers.\(index).bias"))
            let next = index + 1 < header.layers.count ? header.layers[index + 1].inputScale : nil
            guard let quantised = parts.layer(input: layer.activationScale, outputScale: next)
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
                weights: try tensors.numbers("layers.\(index).weight"),
                bias: try tensors.numbers("layers.\(index).bias"), hasReLU: layer.relu)
            largest = dense.largestOutput(forInputsUpTo: largest)
            guard largest < ModelFileFormat.largestOutput else {
                throw .valuesTooLarge(layer: index)
            }
            layers.append(dense)
        }
        return layers
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

// MARK: - int8 layers

/// A layer as int8 files store it.
package struct QuantisedParts {
    let inputs: Int
    let outputs: Int
    /// [O, I]; real weight = stored * scale.
    package let weights: [Int8]
    /// [O], > 0.
    package let weightScales: [Float]
    /// [O], real numbers.
    package let bias: [Float]

    /// Creates a layer's parts; shapes as of the properties.
    package init(inputs: Int, outputs: Int, weights: [Int8], weightScales: [Float], bias: [Float]) {
        self.inputs = inputs
        self.outputs = outputs
        self.weights = weights
        self.weightScales = weightScales
        self.bias = bias
    }

    /// The layer as the kernels take it, or nil if its sums could leave the range 2^24, in which
    /// fp32 is exact and int32 is far from overflow.
    ///
    /// - Parameters:
    ///   - outputScale: Step of the next layer's u8 inputs; nil for the last layer.
    func layer(input: ActivationScale, outputScale: Float?) -> QuantisedLayer? {
        var integerBias: [Int32] = []
        var multiplier: [Float] = []
        for o in 0..<outputs {
            let (sum, magnitude) = rowSums(o)
            let realBias = Double(bias[o]) / (Double(input.scale) * Double(weightScales[o]))
            let shift = input.zeroPoint * sum
            guard 255 * magnitude < 1 << 24, realBias.magnitude < Double(1 << 24) else {
                return nil
            }
            integerBias.append(Int32(realBias.rounded(.toNearestOrEven)) - Int32(shift))
            multiplier.append(input.scale * weightScales[o] / (outputScale ?? 1))
        }
        return QuantisedLayer(
            inputs: inputs, outputs: outputs, weights: weights, bias: integerBias,
            multiplier: multiplier, hasReLU: outputScale != nil)
    }

    private func rowSums(_ o: Int) -> (sum: Int, magnitude: Int) {
        var sum = 0
        var magnitude = 0
        let row = weights.span.extracting(o * inputs..<(o + 1) * inputs)
        for start in stride(from: 0, to: inputs, by: Self.weightsOfAPart) {
            let part = row.extracting(start..<min(start + Self.weightsOfAPart, inputs))
            var partSum = Int16(0)
            var partMagnitude = Int16(0)
            for i in part.indices {
                partSum &+= Int16(part[i])
                partMagnitude &+= Int16(truncatingIfNeeded: part[i].magnitude)
            }
            sum += Int(partSum)
            magnitude += Int(partMagnitude)
        }
        return (sum, magnitude)
    }

    /// So many weights of magnitudes up to 128 add up to an Int16, of which a vector holds most.
    private static let weightsOfAPart = 128
}
