// One model file for each rule of the format, which it breaks: the corpus of rejected files.
private import BridgecastEngine

/// Makes the files of Tests/BridgecastEngineTests/Rejected; each is named like the rule it breaks.
package enum RejectedFiles {
    /// Names (of ``ModelFileError/rule``, with what distinguishes several after a dash) and bytes.
    package static var all: [(name: String, bytes: [UInt8])] {
        preamble + header + tensors + values + forecasts
    }

    private static var preamble: [(name: String, bytes: [UInt8])] {
        var damaged = good()
        damaged[damaged.count / 2] ^= 4
        return [
            ("tooShort", Array(good().prefix(40))), ("notAModelFile", Array("{}".utf8)),
            ("byteSwapped", changed { ($0[8], $0[11]) = ($0[11], $0[8]) }),
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
            (
                "valueOutOfRange-lengths",
                replacing("\"lengthParameters\":0", "\"lengthParameters\":9")
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
            ("impossibleLengths", withLengthCoefficient(31)),
        ]
    }
}
