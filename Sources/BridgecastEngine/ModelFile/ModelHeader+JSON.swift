// Which fields a model header has: from JSON to ModelHeader. Fields that are not known are skipped.
private import BridgecastCore

/// The fields without which each kind of object is refused.
private enum Required {
    static let header = [
        "name", "weightFormat", "schemaHash", "features", "binEdgesMinutes", "bridges",
        "inputLimit", "climatologySlotsPerDay", "lengthParameters", "layers", "provenance",
        "tensors",
    ]
    static let feature = ["name", "unit", "low", "high"]
    static let bridge = ["id", "name"]
    static let layer = ["inputs", "outputs", "relu"]
    static let tensor = ["name", "dtype", "shape", "offset", "byteCount"]
    static let provenance = [
        "sources", "fittedFrom", "fittedBefore", "seed", "commit", "settings", "scores",
    ]
    static let source = ["file", "sha256"]
    static let nothing: [String] = []
}

extension ModelHeader {
    /// Reads a header from the JSON of a model file.
    init(json: ArraySlice<UInt8>) throws(HeaderSyntaxError) {
        var parser = HeaderParser(json)
        var header = ModelHeader(
            name: "", weightFormat: .fp32, schemaHash: "", features: [], binEdgesMinutes: [],
            bridges: [], inputLimit: 0, climatologySlotsPerDay: 0, lengthParameters: 0, layers: [],
            provenance: ModelProvenance(
                sources: [], fittedFrom: Timestamp(secondsSinceEpoch: 0),
                fittedBefore: Timestamp(secondsSinceEpoch: 0), seed: 0, commit: "", settings: [:],
                scores: [:]), tensors: [])
        try parser.object(Required.header) { (field, parser) throws(HeaderSyntaxError) in
            switch field {
            case "name": header.name = try parser.string()
            case "weightFormat":
                guard let format = WeightFormat(rawValue: try parser.string()) else {
                    throw parser.fail("is not int8, fp16 or fp32")
                }
                header.weightFormat = format
            case "schemaHash": header.schemaHash = try parser.string()
            case "features": header.list = try FeatureList(&parser)
            case "binEdgesMinutes":
                header.binEdgesMinutes = try parser.array { (parser) throws(HeaderSyntaxError) in
                    try parser.number(Double.self)
                }
            case "bridges": header.bridges = try parser.array(BridgeEntry.init)
            case "inputLimit": header.inputLimit = try parser.number(Float.self)
            case "climatologySlotsPerDay":
                header.climatologySlotsPerDay = try parser.integer(Int.self)
            case "lengthParameters":
                header.lengthParameters = try parser.integer(Int.self)
            case "layers": header.layers = try parser.array(Layer.init)
            case "provenance": header.provenance = try ModelProvenance(&parser)
            case "tensors": header.tensors = try parser.array(Tensor.init)
            default: try parser.skip()
            }
        }
        try parser.finish()
        self = header
    }
}

extension FeatureList {
    fileprivate init(_ parser: inout HeaderParser) throws(HeaderSyntaxError) {
        self =
            parser.takeOwnFeatures()
            ? .own : FeatureList(try parser.array(ModelHeader.Feature.init))
    }
}

extension ModelHeader.Feature {
    fileprivate init(_ parser: inout HeaderParser) throws(HeaderSyntaxError) {
        self.init(name: "", unit: "", low: 0, high: 0)
        var copy = self
        try parser.object(Required.feature) {
            (field, parser) throws(HeaderSyntaxError) in
            switch field {
            case "name": copy.name = try parser.string()
            case "unit": copy.unit = try parser.string()
            case "low": copy.low = try parser.number(Float.self)
            case "high": copy.high = try parser.number(Float.self)
            default: try parser.skip()
            }
        }
        self = copy
    }
}

extension ModelHeader.BridgeEntry {
    fileprivate init(_ parser: inout HeaderParser) throws(HeaderSyntaxError) {
        var (id, name) = (0, "")
        try parser.object(Required.bridge) { (field, parser) throws(HeaderSyntaxError) in
            switch field {
            case "id": id = try parser.integer(Int.self)
            case "name": name = try parser.string()
            default: try parser.skip()
            }
        }
        self.init(id: BridgeID(id), name: name)
    }
}

extension ModelHeader.Layer {
    fileprivate init(_ parser: inout HeaderParser) throws(HeaderSyntaxError) {
        var layer = ModelHeader.Layer(
            inputs: 0, outputs: 0, relu: false, inputScale: nil, inputZeroPoint: nil)
        try parser.object(Required.layer) {
            (field, parser) throws(HeaderSyntaxError) in
            switch field {
            case "inputs": layer.inputs = try parser.integer(Int.self)
            case "outputs": layer.outputs = try parser.integer(Int.self)
            case "relu": layer.relu = try parser.boolean()
            case "inputScale":
                layer.inputScale = parser.isNull() ? nil : try parser.number(Float.self)
            case "inputZeroPoint":
                layer.inputZeroPoint = parser.isNull() ? nil : try parser.integer(Int.self)
            default: try parser.skip()
            }
        }
        self = layer
    }
}

extension ModelHeader.Tensor {
    fileprivate init(_ parser: inout HeaderParser) throws(HeaderSyntaxError) {
        var tensor = ModelHeader.Tensor(name: "", dtype: "", shape: [], offset: 0, byteCount: 0)
        try parser.object(Required.tensor) {
            (field, parser) throws(HeaderSyntaxError) in
            switch field {
            case "name": tensor.name = try parser.string()
            case "dtype": tensor.dtype = try parser.string()
            case "shape":
                tensor.shape = try parser.array { (parser) throws(HeaderSyntaxError) in
                    try parser.integer(Int.self)
                }
            case "offset": tensor.offset = try parser.integer(Int.self)
            case "byteCount": tensor.byteCount = try parser.integer(Int.self)
            default: try parser.skip()
            }
        }
        self = tensor
    }
}

extension ModelProvenance {
    fileprivate init(_ parser: inout HeaderParser) throws(HeaderSyntaxError) {
        var made = ModelProvenance(
            sources: [], fittedFrom: Timestamp(secondsSinceEpoch: 0),
            fittedBefore: Timestamp(secondsSinceEpoch: 0), seed: 0, commit: "", settings: [:],
            scores: [:])
        try parser.object(Required.provenance) { (field, parser) throws(HeaderSyntaxError) in
            switch field {
            case "sources": made.sources = try parser.array(Source.init)
            case "fittedFrom":
                made.fittedFrom = Timestamp(secondsSinceEpoch: try parser.integer(Int64.self))
            case "fittedBefore":
                made.fittedBefore = Timestamp(secondsSinceEpoch: try parser.integer(Int64.self))
            case "seed": made.seed = try parser.integer(UInt64.self)
            case "commit": made.commit = try parser.string()
            case "settings":
                try parser.object(Required.nothing) { (name, parser) throws(HeaderSyntaxError) in
                    made.settings[name] = try parser.string()
                }
            case "scores":
                try parser.object(Required.nothing) { (name, parser) throws(HeaderSyntaxError) in
                    made.scores[name] = try parser.number(Double.self)
                }
            default: try parser.skip()
            }
        }
        self = made
    }
}

extension ModelProvenance.Source {
    fileprivate init(_ parser: inout HeaderParser) throws(HeaderSyntaxError) {
        var source = ModelProvenance.Source(file: "", sha256: "")
        try parser.object(Required.source) { (field, parser) throws(HeaderSyntaxError) in
            switch field {
            case "file": source.file = try parser.string()
            case "sha256": source.sha256 = try parser.string()
            default: try parser.skip()
            }
        }
        self = source
    }
}
