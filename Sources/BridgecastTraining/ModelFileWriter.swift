// Quantises models and makes the bytes of .bcm files, the same for the same model. The format and its reader are in
// BridgecastEngine.
package import BridgecastCore
package import BridgecastEngine
internal import BridgecastSupport
private import Foundation

extension ModelFile {
    /// The bytes of a model file.
    ///
    /// - Parameters:
    ///   - calibration: Steps of the activations; needed for int8 only.
    package static func bytes(
        of draft: ModelDraft, as format: WeightFormat, calibration: ActivationCalibration? = nil
    ) -> [UInt8] {
        var writer = ModelFileWriter(draft, as: format, calibration: calibration)
        return writer.bytes()
    }

    /// SHA-256 of the tensors of a model file's bytes, hexadecimal: equal for equal weights and tables,
    /// whatever provenance the header has.
    package static func weightsDigest(of bytes: [UInt8]) -> String {
        let headerLength = Int(
            littleEndian(bytes[..<ModelFileFormat.preambleBytes].suffix(8), as: UInt64.self))
        let start = ModelFileFormat.aligned(ModelFileFormat.preambleBytes + headerLength)
        return digest(of: bytes[start..<bytes.count - ModelFileFormat.digestBytes])
    }
}

private struct ModelFileWriter {
    private var header: ModelHeader
    private var contents: [String: [UInt8]] = [:]

    init(_ draft: ModelDraft, as format: WeightFormat, calibration: ActivationCalibration?) {
        precondition((format == .int8) == (calibration != nil), "int8 needs calibration")
        header = Self.header(of: draft, format, calibration)
        contents["input.mean"] = Self.fp32(draft.normalisation.mean)
        contents["input.inverseDeviation"] = Self.fp32(draft.normalisation.inverseDeviation)
        if let climatology = draft.climatology {
            contents["climatology.openProbability"] = Self.fp32(climatology.openProbability.values)
            contents["climatology.durationSurvival"] = Self.fp32(climatology.durationSurvival)
            contents["climatology.openingsPerDay"] = Self.fp32(climatology.openingsPerDay.values)
            contents["climatology.coveredDays"] = Self.fp32(climatology.coveredSeasonDays)
            contents["lengths.parameters"] = climatology.lengthLaw.map { Self.fp32($0.parameters) }
        }
        for (index, layer) in draft.layers.enumerated() {
            add(
                layer, named: "layers.\(index)", as: format,
                biasCorrection: calibration?.biasCorrections[index])
        }
    }

    /// The header without its list of tensors.
    private static func header(
        of draft: ModelDraft, _ format: WeightFormat, _ calibration: ActivationCalibration?
    ) -> ModelHeader {
        let isForecast = draft.climatology != nil
        let features = isForecast ? ModelHeader.currentFeatures : draft.plainFeatures
        return ModelHeader(
            name: draft.name, weightFormat: format,
            schemaHash: ModelHeader.schemaHash(of: features) ?? "", features: features,
            binEdgesMinutes: isForecast ? DelayBins.edgesMinutes : draft.plainEdges,
            bridges: isForecast ? ModelHeader.currentBridges : [],
            inputLimit: draft.normalisation.limit,
            climatologySlotsPerDay: draft.climatology?.slotsPerDay ?? 1,
            lengthParameters: draft.climatology?.lengthLaw?.parameters.count ?? 0,
            layers: draft.layers.enumerated().map { index, layer in
                ModelHeader.Layer(
                    inputs: layer.inputs, outputs: layer.outputs, relu: layer.hasReLU,
                    inputScale: calibration?.scales[index].scale,
                    inputZeroPoint: calibration?.scales[index].zeroPoint)
            }, provenance: draft.provenance, tensors: [])
    }

    mutating func bytes() -> [UInt8] {
        let headerBytes = layOut()
        var bytes = ModelFileFormat.magic
        bytes += littleEndianBytes(of: ModelFileFormat.version) + [0, 0, 0, 0]
        bytes += littleEndianBytes(of: UInt64(headerBytes.count)) + headerBytes
        for tensor in header.tensors {
            bytes += Array(repeating: 0, count: tensor.offset - bytes.count)
            bytes += contents[tensor.name] ?? []
        }
        return bytes + SHA256.hash(bytes)
    }

    /// Gives each tensor its offset and encodes the header.
    ///
    /// The header's length depends on the digits of the offsets and these on the length, so it is
    /// encoded until both agree.
    private mutating func layOut() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var encoded: [UInt8] = []
        var length = 0
        repeat {
            length = encoded.count
            var end = ModelFileFormat.preambleBytes + length
            header.tensors = TensorPlan(header).entries.map { entry in
                let start = ModelFileFormat.aligned(end)
                let byteCount = contents[entry.name]?.count ?? 0
                end = start + byteCount
                return ModelHeader.Tensor(
                    name: entry.name, dtype: entry.dtype, shape: entry.shape, offset: start,
                    byteCount: byteCount)
            }
            guard let data = try? encoder.encode(header) else {
                preconditionFailure("a header of finite numbers and strings can be encoded")
            }
            encoded = [UInt8](data)
        } while encoded.count != length
        return encoded
    }

    private mutating func add(
        _ layer: DenseLayer, named name: String, as format: WeightFormat, biasCorrection: [Float]?
    ) {
        contents["\(name).bias"] = Self.fp32(layer.bias)
        switch format {
        case .fp32: contents["\(name).weight"] = Self.fp32(layer.weights)
        case .fp16:
            contents["\(name).weight"] = layer.weights.flatMap {
                littleEndianBytes(of: Float16($0).bitPattern)
            }
        case .int8:
            let parts = QuantisedParts(layer)
            if let biasCorrection {
                contents["\(name).bias"] = Self.fp32(
                    zip(layer.bias, biasCorrection).map { $0 + $1 })
            }
            contents["\(name).weight"] = parts.weights.map { UInt8(bitPattern: $0) }
            contents["\(name).scale"] = Self.fp32(parts.weightScales)
        }
    }

    private static func fp32(_ values: [Float]) -> [UInt8] {
        values.flatMap { littleEndianBytes(of: $0.bitPattern) }
    }
}

/// The contents of a model file.
package struct ModelDraft: Sendable {
    package var name: String
    /// Layers in order, from F inputs to K outcomes.
    package var layers: [DenseLayer]
    /// How raw inputs [F] become those of the first layer.
    package var normalisation: InputNormalisation
    /// nil for a network that forecasts no bridges; its inputs are then numbered.
    package var climatology: Climatology?
    /// What the model was fitted to and how, as in the file's header.
    package var provenance: ModelProvenance

    /// A draft of parts that are not checked.
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

    /// Inputs of a network that forecasts no bridges.
    fileprivate var plainFeatures: [ModelHeader.Feature] {
        normalisation.mean.indices.map {
            ModelHeader.Feature(name: "input.\($0)", unit: "one", low: -4, high: 4)
        }
    }

    fileprivate var plainEdges: [Double] {
        (1..<max(layers.last?.outputs ?? 1, 1)).map { Double($0 - 1) }
    }
}

// MARK: - Quantisation

/// Scales and corrections of int8 activations, from a run of the network on real rows.
package struct ActivationCalibration: Sendable {
    /// Scale and zero point of the u8 inputs of each layer.
    package let scales: [ActivationScale]
    /// Mean rounding error of each output's sum, [layer][O]; int8 files add it to the bias.
    ///
    /// Most inputs are soft bins that are nearly always empty. Their zero is rounded the same way in
    /// every row, and hundreds of such errors add up to a shift.
    package let biasCorrections: [[Float]]

    /// Calibrates an fp32 network.
    ///
    /// For each hidden layer's outputs, 255 is the value exceeded by one activation in
    /// 20,000. The network's own inputs are clamped, so their scale follows from the limit.
    ///
    /// - Parameters:
    ///   - rows: Real feature rows, at least one.
    package init(_ layers: [DenseLayer], _ normalisation: InputNormalisation, rows: FeatureBatch) {
        self.init(layers, normalisation, features: rows.rows.dense())
    }

    /// Calibrates on inputs of any kind, [B, F].
    package init(_ layers: [DenseLayer], _ normalisation: InputNormalisation, features: [Float]) {
        precondition(!features.isEmpty, "calibration needs rows")
        var exact = features
        normalisation.normalise(&exact)
        var rough = exact
        var scales = [ActivationScale(scale: normalisation.limit / 127, zeroPoint: 128)]
        var corrections: [[Float]] = []
        for (index, layer) in layers.enumerated() {
            for cell in rough.indices { rough[cell] = scales[index].rounded(rough[cell]) }
            let parts = QuantisedParts(layer)
            exact = layer.sums(of: exact, weights: layer.weights)
            rough = layer.sums(of: rough, weights: parts.realWeights(inputs: layer.inputs))
            let correction = Self.meanDifference(exact, rough, width: layer.outputs)
            corrections.append(correction)
            guard index < layers.count - 1 else { break }
            for cell in exact.indices {
                exact[cell] = max(exact[cell], 0)
                rough[cell] = max(rough[cell] + correction[cell % layer.outputs], 0)
            }
            let sorted = exact.sorted()
            let highest = sorted[min(sorted.count - 1, sorted.count - sorted.count / 20_000)]
            // The scale of a layer that is hardly ever active is bounded by what int8 can represent.
            let minScale = Self.minScale(
                between: parts, inputScale: scales[index].scale,
                and: QuantisedParts(layers[index + 1]))
            scales.append(ActivationScale(scale: max(highest / 255, minScale), zeroPoint: 0))
        }
        self.scales = scales
        biasCorrections = corrections
    }

    /// The scale between two layers below which a multiplier of the first or a bias of the second
    /// would exceed half of what the format allows (FORMAT.md).
    private static func minScale(
        between layer: QuantisedParts, inputScale: Float, and next: QuantisedParts
    ) -> Float {
        let byMultiplier = inputScale * (layer.weightScales.max() ?? 1) / 32
        let byBias = zip(next.bias, next.weightScales).reduce(Float(0)) { largest, output in
            max(largest, abs(output.0) / output.1 / Float(1 << 23))
        }
        return max(byMultiplier, byBias, 1e-9)
    }

    private static func meanDifference(_ a: [Float], _ b: [Float], width: Int) -> [Float] {
        var sums = [Double](repeating: 0, count: width)
        for cell in a.indices { sums[cell % width] += Double(a[cell] - b[cell]) }
        return sums.map { Float($0 / Double(a.count / width)) }
    }
}

extension ActivationScale {
    /// A value after quantisation.
    fileprivate func rounded(_ value: Float) -> Float {
        let step = (value / scale).rounded(.toNearestOrEven) + Float(zeroPoint)
        return (min(max(step, 0), 255) - Float(zeroPoint)) * scale
    }
}

extension DenseLayer {
    /// Weighted sums and bias of inputs [B, I] before any ReLU, [B, O].
    fileprivate func sums(of values: [Float], weights: [Float]) -> [Float] {
        let rows = values.count / inputs
        var sums = [Float](repeating: 0, count: rows * outputs)
        BLAS.multiply(
            values, .plain, by: weights, .transposed, into: &sums, m: rows, n: outputs, k: inputs)
        for cell in sums.indices { sums[cell] += bias[cell % outputs] }
        return sums
    }
}

extension QuantisedParts {
    /// The weights after quantisation, [O, I].
    fileprivate func realWeights(inputs: Int) -> [Float] {
        weights.indices.map { Float(weights[$0]) * weightScales[$0 / inputs] }
    }

    /// Rounds an fp32 layer to symmetric int8, one scale per output.
    ///
    /// An output whose weights are all zero gets scale 1.
    package init(_ layer: DenseLayer) {
        var weights: [Int8] = []
        var scales: [Float] = []
        for o in 0..<layer.outputs {
            let row = layer.weights[o * layer.inputs..<(o + 1) * layer.inputs]
            let largest = row.reduce(0) { max($0, abs($1)) }
            let scale = largest > 0 ? largest / 127 : 1
            scales.append(scale)
            weights += row.map { Int8(max(-127, min(127, ($0 / scale).rounded(.toNearestOrEven)))) }
        }
        self.init(
            inputs: layer.inputs, outputs: layer.outputs, weights: weights, weightScales: scales,
            bias: layer.bias)
    }
}
