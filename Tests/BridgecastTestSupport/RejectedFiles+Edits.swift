// A small model file that breaks no rule and is the same on every machine, and edits that break one.
private import BridgecastSupport
private import BridgecastCore
package import BridgecastEngine
private import BridgecastTraining

extension RejectedFiles {
    /// A small network that breaks no rule.
    package static func good(_ format: WeightFormat = .int8) -> [UInt8] {
        bytes([5, 4, 3], climatology: nil, as: format)
    }

    /// A forecast of bridges that breaks no rule.
    package static func goodForecast(_ format: WeightFormat = .int8) -> [UInt8] {
        bytes([FeatureSchema.count, 4, DelayBins.count], climatology: climatology, as: format)
    }

    /// Its name is long, so that edits have room: they take letters from it.
    private static let ballast = String(repeating: "x", count: 120)

    /// The bytes of a network.
    ///
    /// Calibration adds up products in whatever order suits a CPU, and rounds on the way. Here it has one
    /// row, whose inputs are zero once they are normalised; of the hidden outputs only the first is
    /// above zero then. So every sum is of one product, and comes out the same in any order.
    private static func bytes(
        _ sizes: [Int], climatology: Climatology?, as format: WeightFormat
    ) -> [UInt8] {
        let mean = [Float](repeating: 0.25, count: sizes[0])
        let draft = ModelDraft(
            name: ballast, layers: layers(sizes),
            normalisation: InputNormalisation(
                mean: mean, inverseDeviation: mean.map { _ in 2 }, limit: 6),
            climatology: climatology,
            provenance: ModelProvenance(
                sources: [], fittedFrom: Fixtures.timestamp("2017-10-25T10:00"),
                fittedBefore: Fixtures.timestamp("2026-02-15T00:00"), seed: 1, commit: "test",
                settings: [:], scores: [:]))
        let calibration = ActivationCalibration(draft.layers, draft.normalisation, features: mean)
        return ModelFile.bytes(
            of: draft, as: format, calibration: format == .int8 ? calibration : nil)
    }

    /// Layers of eighths; of each layer's biases, only the first is above zero.
    private static func layers(_ sizes: [Int]) -> [DenseLayer] {
        zip(sizes, sizes.dropFirst()).enumerated().map { index, size in
            DenseLayer(
                inputs: size.0, outputs: size.1,
                weights: (0..<size.0 * size.1).map { Float($0 * 5 % 17 - 8) / 8 },
                bias: (0..<size.1).map { $0 == 0 ? 0.5 : -Float($0) / 8 },
                hasReLU: index < sizes.count - 2)
        }
    }

    /// Every bridge is up for an eighth of all time.
    private static var climatology: Climatology? {
        let bridges = BridgeCatalogue.count
        var climatology = Climatology(
            slotsPerDay: 1, openProbability: Array(repeating: 0.125, count: 4 * bridges),
            durationSurvival: Array(repeating: 0.5, count: bridges * Climatology.survivalCount),
            openingsPerDay: Array(repeating: 8, count: 4 * bridges),
            coveredSeasonDays: Array(repeating: 32, count: 2 * bridges))
        climatology?.lengthLaw = LengthLaw(
            Array(repeating: 0.5, count: LengthLaw.parameterCount))
        return climatology
    }

    /// Bytes with a part changed and the digest made right again.
    package static func edited(_ bytes: [UInt8], _ edit: (inout [UInt8]) -> Void) -> [UInt8] {
        var content = Array(bytes.dropLast(32))
        edit(&content)
        return content + SHA256.hash(content)
    }

    static func changed(
        _ format: WeightFormat = .int8, _ edit: (inout [UInt8]) -> Void
    ) -> [UInt8] {
        edited(good(format), edit)
    }

    /// A file whose header has a text replaced, at the same length.
    static func replacing(
        _ old: String, _ new: String, in bytes: [UInt8] = good()
    ) -> [UInt8] {
        edited(bytes) { content in
            let length = content[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
            var text = String(decoding: content[24..<24 + length], as: UTF8.self)
            precondition(text.contains(old), "the header has no \(old)")
            text = text.replacingFirst(old, by: new)
            while text.utf8.count > length { text = text.replacingFirst("xx", by: "x") }
            text += String(repeating: " ", count: length - text.utf8.count)
            content.replaceSubrange(24..<24 + length, with: Array(text.utf8))
        }
    }

    static func offset(of tensor: String, _ format: WeightFormat = .int8) -> Int {
        offset(of: tensor, in: good(format))
    }

    private static func offset(of tensor: String, in bytes: [UInt8]) -> Int {
        let header = (try? ModelFile.readNetwork(bytes))?.header
        guard let found = header?.tensors.first(where: { $0.name == tensor }) else {
            preconditionFailure("the network has no tensor \(tensor)")
        }
        return found.offset
    }

    static func setting(
        _ tensor: String, _ format: WeightFormat = .int8, to value: Float
    ) -> [UInt8] {
        let start = offset(of: tensor, format)
        return changed(format) { set(value, at: start, in: &$0) }
    }

    /// A forecast whose law of lengths has another first coefficient.
    static func withLengthCoefficient(_ value: Float) -> [UInt8] {
        let forecast = goodForecast()
        let start = offset(of: "lengths.parameters", in: forecast)
        return edited(forecast) { set(value, at: start, in: &$0) }
    }

    private static func set(_ value: Float, at start: Int, in bytes: inout [UInt8]) {
        let bits = value.bitPattern
        for i in 0..<4 { bytes[start + i] = UInt8(truncatingIfNeeded: bits >> (8 * i)) }
    }

    /// A file in whose header the list of tensors is another.
    static func withTensors(_ list: String) -> [UInt8] {
        edited(good()) { content in
            let length = content[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
            let text = String(decoding: content[24..<24 + length], as: UTF8.self)
            // "tensors" is the last field but "weightFormat".
            let parts = text.splitOnce(at: "\"tensors\":")
            let header = Array((parts.before + list + ",\"weightFormat\":\"int8\"}").utf8)
            let size = (0..<8).map { UInt8(truncatingIfNeeded: header.count >> ($0 * 8)) }
            content = Array(content[..<16]) + size + header
        }
    }

    /// A network whose first bias is declared with another number of bytes.
    static var floatsForBytes: [UInt8] {
        replacing(
            "\"byteCount\":16,\"dtype\":\"f32\",\"name\":\"layers.0.bias\"",
            "\"byteCount\":16,\"dtype\":\"i8\",\"name\":\"layers.0.bias\"",
            in: replacing("\"shape\":[4]", "\"shape\":[16]"))
    }
}

extension String {
    fileprivate func splitOnce(at text: String) -> (before: String, after: String) {
        guard let range = firstRange(of: text) else { return (self, "") }
        return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
    }

    fileprivate func replacingFirst(_ old: String, by new: String) -> String {
        guard contains(old) else { return self }
        let parts = splitOnce(at: old)
        return parts.before + new + parts.after
    }
}
