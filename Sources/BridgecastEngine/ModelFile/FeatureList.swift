// The inputs that a model header lists, held without their names where they are this program's own.
private import BridgecastCore

/// A header's list of inputs.
///
/// Most models are read to forecast, which only those with this program's own inputs can do and for
/// which nobody needs the names: they are made when they are asked for.
struct FeatureList: Sendable {
    /// The list this program has.
    static let own = FeatureList(others: nil)

    /// Nil for this program's own.
    private let others: [ModelHeader.Feature]?

    private init(others: [ModelHeader.Feature]?) { self.others = others }

    init(_ features: [ModelHeader.Feature]) { others = features }

    var features: [ModelHeader.Feature] { others ?? ModelHeader.currentFeatures }

    var count: Int { others?.count ?? FeatureSchema.count }

    /// The hash of the list as it stands in a header, or nil if an input's range is none.
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
