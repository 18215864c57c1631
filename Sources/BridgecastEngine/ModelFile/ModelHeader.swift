// The header of a model file: everything a reader must know before it reads a weight. ModelHeaderReader reads it.
public import BridgecastCore

/// The header of a `.bcm` file, stored as JSON with sorted keys.
public struct ModelHeader: Sendable, Codable, Equatable {
    /// A network input as the model was trained with it.
    public struct Feature: Sendable, Codable, Equatable {
        /// Unique name.
        public var name: String
        /// Unit.
        public var unit: String
        /// Smallest value.
        public var low: Float
        /// Largest value.
        public var high: Float

        /// Creates an input.
        public init(name: String, unit: String, low: Float, high: Float) {
            self.name = name
            self.unit = unit
            self.low = low
            self.high = high
        }
    }

    /// A bridge of the per-bridge tables.
    public struct BridgeEntry: Sendable, Codable, Equatable {
        /// The city's id.
        public var id: BridgeID
        /// The city's name.
        public var name: String
    }

    /// A layer; its tensors are `layers.N.weight`, `layers.N.bias` and, in int8, `layers.N.scale`.
    public struct Layer: Sendable, Codable, Equatable {
        /// I.
        public var inputs: Int
        /// O.
        public var outputs: Int
        /// Whether negative outputs become 0.
        public var relu: Bool
        /// int8 only: step of the layer's u8 inputs.
        public var inputScale: Float?
        /// int8 only: the u8 input of the number 0.
        public var inputZeroPoint: Int?

        package init(
            inputs: Int, outputs: Int, relu: Bool, inputScale: Float?, inputZeroPoint: Int?
        ) {
            self.inputs = inputs
            self.outputs = outputs
            self.relu = relu
            self.inputScale = inputScale
            self.inputZeroPoint = inputZeroPoint
        }
    }

    /// A block of numbers after the header.
    public struct Tensor: Sendable, Codable, Equatable {
        /// Unique name.
        public var name: String
        /// `i8`, `f16` or `f32`.
        public var dtype: String
        /// Dimensions, row-major.
        public var shape: [Int]
        /// Byte offset from the start of the file, a multiple of 64.
        public var offset: Int
        /// Length in bytes.
        public var byteCount: Int

        package init(name: String, dtype: String, shape: [Int], offset: Int, byteCount: Int) {
            self.name = name
            self.dtype = dtype
            self.shape = shape
            self.offset = offset
            self.byteCount = byteCount
        }
    }

    /// Name of the model, such as `bridgecast-1`.
    public var name: String
    /// Number format of the weights.
    public var weightFormat: WeightFormat
    /// FNV-1a 64 of the inputs, 16 hexadecimal digits.
    public var schemaHash: String
    /// The inputs in order.
    public var features: [Feature] {
        get { list.features }
        set { list = FeatureList(newValue) }
    }
    /// Lower edges of the delay bins in minutes.
    public var binEdgesMinutes: [Double]
    /// Bridges in the order of the tables.
    public var bridges: [BridgeEntry]
    /// Largest magnitude of a normalised input.
    public var inputLimit: Float
    /// Slots per day of the climatology.
    public var climatologySlotsPerDay: Int
    /// Numbers of the law of opening lengths; 0 without one.
    public var lengthParameters: Int
    /// The layers from input to logits.
    public var layers: [Layer]
    /// How it was made.
    public var provenance: ModelProvenance
    /// What follows the header, in order.
    public var tensors: [Tensor]

    /// The stored inputs: this program's own without their names.
    var list: FeatureList

    package init(
        name: String, weightFormat: WeightFormat, schemaHash: String, features: [Feature],
        binEdgesMinutes: [Double], bridges: [BridgeEntry], inputLimit: Float,
        climatologySlotsPerDay: Int, lengthParameters: Int, layers: [Layer],
        provenance: ModelProvenance, tensors: [Tensor]
    ) {
        self.name = name
        self.weightFormat = weightFormat
        self.schemaHash = schemaHash
        list = FeatureList(features)
        self.binEdgesMinutes = binEdgesMinutes
        self.bridges = bridges
        self.inputLimit = inputLimit
        self.climatologySlotsPerDay = climatologySlotsPerDay
        self.lengthParameters = lengthParameters
        self.layers = layers
        self.provenance = provenance
        self.tensors = tensors
    }

    private enum CodingKeys: String, CodingKey {
        case list = "features"
        case name, weightFormat, schemaHash, binEdgesMinutes, bridges, inputLimit
        case climatologySlotsPerDay, lengthParameters, layers, provenance, tensors
    }

    /// The hash of a list of inputs: FNV-1a 64 over `name|unit|low|high\n` of each.
    ///
    /// - Returns: nil if an input's range is none.
    public static func schemaHash(of features: [Feature]) -> String? {
        var hash = FeatureSchema.emptyHash
        for feature in features {
            guard feature.low <= feature.high else { return nil }
            FeatureSchema.add(feature.name, feature.unit, feature.low...feature.high, to: &hash)
        }
        return text(ofHash: hash)
    }

    /// The schema hash as a header has it.
    public static func text(ofHash hash: UInt64) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: stride(from: 60, through: 0, by: -4).map { shift in
                digits[Int(hash >> UInt64(shift) & 15)]
            }, as: UTF8.self)
    }
}

// MARK: - Provenance

/// Where a model comes from; together with the records it can be made again.
public struct ModelProvenance: Sendable, Codable, Equatable {
    /// A file of records.
    public struct Source: Sendable, Codable, Equatable {
        /// File name without folders.
        public var file: String
        /// SHA-256 of the file, hexadecimal.
        public var sha256: String

        /// Creates a source.
        public init(file: String, sha256: String) {
            self.file = file
            self.sha256 = sha256
        }
    }

    /// The records it was fitted to.
    public var sources: [Source]
    /// First covered time of the fit.
    public var fittedFrom: Timestamp
    /// End of the fit: no record from this time on was used.
    public var fittedBefore: Timestamp
    /// Seed of the random numbers.
    public var seed: UInt64
    /// Commit of the trainer, or "unknown".
    public var commit: String
    /// Settings of the trainer, name and value.
    public var settings: [String: String]
    /// Scores at training, name and value, such as the validation log loss.
    public var scores: [String: Double]

    /// Creates a provenance.
    public init(
        sources: [Source], fittedFrom: Timestamp, fittedBefore: Timestamp, seed: UInt64,
        commit: String, settings: [String: String], scores: [String: Double]
    ) {
        self.sources = sources
        self.fittedFrom = fittedFrom
        self.fittedBefore = fittedBefore
        self.seed = seed
        self.commit = commit
        self.settings = settings
        self.scores = scores
    }
}

// MARK: - Parts

/// Number format of a model's weights.
public enum WeightFormat: String, Sendable, Codable, CaseIterable {
    /// Signed bytes with a scale per output; activations are unsigned bytes.
    case int8
    /// IEEE 754 half precision, widened at load.
    case fp16
    /// IEEE 754 single precision.
    case fp32
}

/// A header's list of inputs.
///
/// Most models are read to forecast, which only those with this program's own inputs can do and which
/// needs no names: these are made when they are asked for.
struct FeatureList: Sendable {
    static let own = FeatureList(others: nil)

    /// Nil for this program's own.
    private let others: [ModelHeader.Feature]?

    private init(others: [ModelHeader.Feature]?) { self.others = others }

    init(_ features: [ModelHeader.Feature]) { others = features }

    var features: [ModelHeader.Feature] { others ?? ModelHeader.currentFeatures }

    package var count: Int { others?.count ?? FeatureSchema.count }

    /// The hash of the list as a header has it, or nil if an input has no valid range.
    var hash: String? {
        guard let others else { return ModelHeader.text(ofHash: FeatureSchema.hash) }
        return ModelHeader.schemaHash(of: others)
    }
}

extension FeatureList: Equatable {
    static func == (one: FeatureList, other: FeatureList) -> Bool {
        if one.others == nil && other.others == nil { return true }
        return one.count == other.count && one.features == other.features
    }
}

extension FeatureList: Codable {
    init(from decoder: any Decoder) throws {
        others = try decoder.singleValueContainer().decode([ModelHeader.Feature].self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(features)
    }
}
