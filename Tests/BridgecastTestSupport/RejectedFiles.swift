// One model file for each rule of the format, which it breaks: the corpus of rejected files.
private import BridgecastCore
private import BridgecastDigest
package import BridgecastEngine
private import BridgecastTraining

/// Makes the files of Tests/BridgecastEngineTests/Rejected; each is named like the rule it breaks.
package enum RejectedFiles {
    /// Names (of ``ModelFileError/rule``, with what distinguishes several after a dash) and bytes.
    package static var all: [(name: String, bytes: [UInt8])] {
        preamble + header + tensors + values + forecasts
    }

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

    // MARK: Numbers that are the same to the last bit on every machine

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
                sources: [], fittedFrom: Fixtures.moment("2017-10-25T10:00"),
                fittedBefore: Fixtures.moment("2026-02-15T00:00"), seed: 1, commit: "test",
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
        return Climatology(
            slotsPerDay: 1, openProbability: Array(repeating: 0.125, count: 2 * bridges),
            durationSurvival: Array(repeating: 0.5, count: bridges * Climatology.survivalCount),
            openingsPerDay: Array(repeating: 8, count: 2 * bridges),
            coveredDays: Array(repeating: 64, count: bridges))
    }

    // MARK: Edits

    /// Bytes with a part changed and the digest made right again.
    package static func edited(_ bytes: [UInt8], _ edit: (inout [UInt8]) -> Void) -> [UInt8] {
        var content = Array(bytes.dropLast(32))
        edit(&content)
        return content + SHA256.hash(content)
    }

    private static func changed(
        _ format: WeightFormat = .int8, _ edit: (inout [UInt8]) -> Void
    ) -> [UInt8] {
        edited(good(format), edit)
    }

    /// A file whose header has a text replaced, at the same length.
    private static func replacing(
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

    private static func offset(of tensor: String, _ format: WeightFormat = .int8) -> Int {
        let header = (try? ModelFile.readNetwork(good(format)))?.header
        guard let found = header?.tensors.first(where: { $0.name == tensor }) else {
            preconditionFailure("the network has no tensor \(tensor)")
        }
        return found.offset
    }

    private static func setting(
        _ tensor: String, _ format: WeightFormat = .int8, to value: Float
    ) -> [UInt8] {
        let start = offset(of: tensor, format)
        let bits = value.bitPattern
        return changed(format) { bytes in
            for i in 0..<4 { bytes[start + i] = UInt8(truncatingIfNeeded: bits >> (8 * i)) }
        }
    }

    // MARK: Files

    private static var preamble: [(name: String, bytes: [UInt8])] {
        var damaged = good()
        damaged[damaged.count / 2] ^= 4
        return [
            ("tooShort", Array(good().prefix(40))), ("notAModelFile", Array("{}".utf8)),
            ("byteSwapped", changed { ($0[8], $0[11]) = (0, 1) }),
            ("unsupportedVersion", changed { $0[8] = 2 }),
            ("reservedBytesNotZero", changed { $0[14] = 1 }),
            ("headerTooLong", changed { $0[19] = 1 }),
            ("headerTruncated", changed { $0[17] = 0x40 }),
            ("digestMismatch", damaged),
        ]
    }

    private static var header: [(name: String, bytes: [UInt8])] {
        [
            ("headerUnreadable-missing", replacing("\"inputLimit\"", "\"inputLimits\"")),
            ("headerUnreadable-type", replacing("\"inputLimit\":6", "\"inputLimit\":\"6\"")),
            (
                "headerUnreadable-twice",
                replacing("\"inputLimit\":6", "\"inputLimit\":6,\"inputLimit\":6")
            ),
            ("headerUnreadable-json", replacing("{", "[")),
            ("schemaHashWrong", replacing("\"name\":\"input.2\"", "\"name\":\"input.7\"")),
            ("schemaHashWrong-lowest", replacing("\"low\":-4", "\"low\":-9223372036854775808")),
            ("valueOutOfRange-range", replacing("\"low\":-4", "\"low\":3e38")),
            ("badLayers", replacing("\"outputs\":4", "\"outputs\":6")),
            ("badLayers-relu", replacing("\"relu\":true", "\"relu\":false")),
            ("valueOutOfRange-limit", replacing("\"inputLimit\":6", "\"inputLimit\":-6")),
            (
                "valueOutOfRange-zeroPoint",
                replacing("\"inputZeroPoint\":128", "\"inputZeroPoint\":256")
            ),
            (
                "valueOutOfRange-behindReLU",
                replacing("\"inputZeroPoint\":0", "\"inputZeroPoint\":9")
            ),
            (
                "valueOutOfRange-slots",
                replacing("\"climatologySlotsPerDay\":1", "\"climatologySlotsPerDay\":7")
            ),
        ]
    }

    private static var tensors: [(name: String, bytes: [UInt8])] {
        let mean = offset(of: "input.mean")
        let many = (0..<65).map {
            "{\"name\":\"t\($0)\",\"dtype\":\"i8\",\"shape\":[1],\"offset\":0,\"byteCount\":1}"
        }
        let list = "\"tensors\":[" + many.joined(separator: ",") + "]"
        return [
            ("tooManyTensors", withTensors(list)),
            ("missingTensor", withTensors("\"tensors\":[]")),
            (
                "badTensorName",
                replacing("\"name\":\"layers.0.bias\"", "\"name\":\"layers/0.bias\"")
            ),
            (
                "duplicateTensor",
                replacing("\"name\":\"layers.1.bias\"", "\"name\":\"layers.0.bias\"")
            ),
            (
                "unexpectedTensor",
                replacing("\"name\":\"layers.1.bias\"", "\"name\":\"layers.1.bios\"")
            ),
            ("unknownNumberFormat", replacing("\"dtype\":\"i8\"", "\"dtype\":\"u8\"")),
            ("wrongNumberFormat", floatsForBytes),
            ("sizeOverflow", replacing("\"shape\":[5]", "\"shape\":[9223372036854775807]")),
            ("sizeOverflow-zero", replacing("\"shape\":[5]", "\"shape\":[0]")),
            ("sizeMismatch", replacing("\"byteCount\":20", "\"byteCount\":24")),
            ("wrongShape", replacing("\"shape\":[4,5]", "\"shape\":[5,4]")),
            ("misplacedTensor", replacing("\"offset\":\(mean)", "\"offset\":\(mean + 64)")),
            ("paddingNotZero", changed { $0[mean + 20] = 1 }),
            ("bytesLeftOver", changed { $0 += [0, 0, 0] }),
            ("beyondEnd", changed { $0.removeLast(8) }),
        ]
    }

    private static var values: [(name: String, bytes: [UInt8])] {
        [
            ("notFinite", setting("layers.0.bias", to: .nan)),
            ("notFinite-infinity", setting("input.mean", to: .infinity)),
            ("notPositive", setting("layers.0.scale", to: 0)),
            ("notPositive-deviation", setting("input.inverseDeviation", to: -1)),
            ("sumsTooLarge", setting("layers.1.scale", to: .leastNonzeroMagnitude)),
            ("valuesTooLarge-multiplier", setting("layers.0.scale", to: 1e6)),
            ("valuesTooLarge-fp32", setting("layers.0.weight", .fp32, to: 3e38)),
        ]
    }

    private static var forecasts: [(name: String, bytes: [UInt8])] {
        let forecast = goodForecast()
        return [
            ("schemaMismatch", good()),
            (
                "binsMismatch",
                replacing("\"binEdgesMinutes\":[0,1,", "\"binEdgesMinutes\":[0,9,", in: forecast)
            ),
            ("bridgesMismatch", replacing("\"id\":21", "\"id\":22", in: forecast)),
        ]
    }

    /// A file in whose header the list of tensors is another.
    private static func withTensors(_ list: String) -> [UInt8] {
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

    /// A network whose first bias is declared as so many bytes.
    private static var floatsForBytes: [UInt8] {
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
