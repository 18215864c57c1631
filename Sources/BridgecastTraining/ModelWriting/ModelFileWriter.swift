// Writes .bcm files: deterministic bytes for the same model, and never a half-written file.
// Belongs here: quantising and writing models; not: the format itself and its reader (BridgecastEngine).
import BridgecastCore
private import BridgecastDigest
package import BridgecastEngine
private import Foundation

extension ModelFile {
    /// The bytes of a model file.
    ///
    /// - Parameters:
    ///   - calibration: Steps of the activations; needed for int8 only.
    package static func bytes(
        of draft: ModelDraft, as format: WeightFormat, calibration: ActivationCalibration? = nil
    ) -> [UInt8] {
        var writer = ModelFileWriter(draft, format, calibration)
        return writer.bytes()
    }

    /// SHA-256 of bytes, hexadecimal.
    package static func digest(of bytes: some Sequence<UInt8>) -> String {
        hexadecimal(SHA256.hash(bytes))
    }

    /// SHA-256 of the tensors of a model file's bytes, hexadecimal: equal for equal weights and tables,
    /// whatever the header says of their making.
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

    init(_ draft: ModelDraft, _ format: WeightFormat, _ calibration: ActivationCalibration?) {
        precondition((format == .int8) == (calibration != nil), "int8 needs calibration")
        let isForecast = draft.climatology != nil
        let features = isForecast ? ModelHeader.currentFeatures : draft.plainFeatures
        header = ModelHeader(
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
            },
            provenance: draft.provenance, tensors: [])
        contents["input.mean"] = Self.fp32(draft.normalisation.mean)
        contents["input.inverseDeviation"] = Self.fp32(draft.normalisation.inverseDeviation)
        if let climatology = draft.climatology {
            contents["climatology.openProbability"] = Self.fp32(climatology.openProbability.values)
            contents["climatology.durationSurvival"] = Self.fp32(climatology.durationSurvival)
            contents["climatology.openingsPerDay"] = Self.fp32(climatology.openingsPerDay.values)
            contents["climatology.coveredDays"] = Self.fp32(climatology.coveredDays)
            contents["lengths.parameters"] = climatology.lengthLaw.map { Self.fp32($0.parameters) }
        }
        for (index, layer) in draft.layers.enumerated() {
            add(layer, index, format, biasCorrection: calibration?.biasCorrections[index])
        }
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
        _ layer: DenseLayer, _ index: Int, _ format: WeightFormat, biasCorrection: [Float]?
    ) {
        let name = "layers.\(index)"
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
