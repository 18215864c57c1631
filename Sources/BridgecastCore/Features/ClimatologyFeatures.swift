// Features of what is usual at the valid time.

/// What is usual at the valid time.
enum ClimatologyFeatures: RowFeatures {
    static let count = 3

    static let specs = [
        FeatureSpec("climatology.openLogit", .logit, -12...12),
        FeatureSpec("climatology.openLogitSinceIssue", .logit, -12...12),
        FeatureSpec("climatology.dayRate", .one, 0...3),
    ]

    static func append(_ row: RowContext, to values: inout RowWriter) {
        let usual = logit(row.openProbability)
        values.append(usual)
        values.append(usual - row.known.usualLogit)
        let rates = row.known.dayRates
        values.append(row.moment.dayType == .weekday ? rates.weekday : rates.weekend)
    }
}
