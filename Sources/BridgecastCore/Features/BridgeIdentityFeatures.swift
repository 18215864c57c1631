// Features of which bridge it is.

enum BridgeIdentityFeatures: BridgeFeatures {
    static let count = BridgeCatalogue.count

    static let specs = BridgeCatalogue.seattle.map { FeatureSpec.flag("bridge.\($0.name)") }

    static func append(_ bridge: BridgeContext, to values: inout RowWriter) {
        for index in 0..<BridgeCatalogue.count {
            values.append(index == bridge.bridge.rawValue ? 1 : 0)
        }
    }
}
