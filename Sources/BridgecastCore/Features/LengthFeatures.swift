// Features of how long openings have lasted lately.

/// How long openings at the bridge and along its waterway have lasted lately against what is usual.
enum LengthFeatures: BridgeFeatures {
    private static let covariates = LengthCovariates.notInOtherFeatures

    static let count = covariates.count

    static let specs = covariates.map {
        FeatureSpec("lengths.\(LengthCovariates.names[$0])", .logit, -3...3)
    }

    static func append(_ bridge: BridgeContext, to values: inout RowWriter) {
        guard let known = bridge.lengthCovariates?.values else { return _ = values.skip(count) }
        for index in covariates { values.append(Float(min(max(known[index], -3), 3))) }
    }
}
