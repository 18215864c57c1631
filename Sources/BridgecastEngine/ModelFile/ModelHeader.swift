// The header of a model file: everything a reader must know before it touches a weight.
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
        /// int8 only: the input that stands for 0.
        public var inputZeroPoint: Int?

        package init(
            inputs: Int, outputs: Int, relu: Bool, inputScale: Float?, inputZeroPoint: Int?
        ) {
            (self.inputs, self.outputs, self.relu) = (inputs, outputs, relu)
            (self.inputScale, self.inputZeroPoint) = (inputScale, inputZeroPoint)
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
            (self.name, self.dtype, self.shape) = (name, dtype, shape)
            (self.offset, self.byteCount) = (offset, byteCount)
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

    /// The inputs as they are held: this program's own without their names.
    var list: FeatureList

    package init(
        name: String, weightFormat: WeightFormat, schemaHash: String, features: [Feature],
        binEdgesMinutes: [Double], bridges: [BridgeEntry], inputLimit: Float,
        climatologySlotsPerDay: Int, lengthParameters: Int, layers: [Layer],
        provenance: ModelProvenance, tensors: [Tensor]
    ) {
        (self.name, self.weightFormat, self.schemaHash) = (name, weightFormat, schemaHash)
        list = FeatureList(features)
        (self.binEdgesMinutes, self.bridges) = (binEdgesMinutes, bridges)
        (self.inputLimit, self.climatologySlotsPerDay) = (inputLimit, climatologySlotsPerDay)
        self.lengthParameters = lengthParameters
        (self.layers, self.provenance, self.tensors) = (layers, provenance, tensors)
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

    /// The schema hash as it stands in a header.
    public static func text(ofHash hash: UInt64) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: stride(from: 60, through: 0, by: -4).map { shift in
                digits[Int(hash >> UInt64(shift) & 15)]
            }, as: UTF8.self)
    }
}
