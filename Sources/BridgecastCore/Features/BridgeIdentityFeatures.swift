// Features of which bridge it is.

enum BridgeIdentityFeatures: FeatureGroup {
    static let specs = BridgeCatalogue.seattle.map { FeatureSpec.flag("bridge.\($0.name)") }

    static func append(_ row: RowContext, to values: inout RowWriter) {
        for index in 0..<BridgeCatalogue.count {
            values.append(index == row.bridge.rawValue ? 1 : 0)
        }
    }
}
