// Features of what is usual at the valid time.
import Foundation

/// What is usual at the valid time.
enum ClimatologyFeatures: FeatureGroup {
    static let specs = [
        FeatureSpec("climatology.openLogit", .logit, -12...12),
        FeatureSpec("climatology.openLogitSinceIssue", .logit, -12...12),
        FeatureSpec("climatology.dayRate", .one, 0...3),
    ]

    static func append(_ row: RowContext, to values: inout RowWriter) {
        let usual = logit(row.openProbability)
        let usualAtIssue = row.climatology.openProbability(of: row.bridge, at: row.issueCivil)
        values.append(usual)
        values.append(usual - logit(usualAtIssue))
        let rate = row.climatology.openingsPerDay[row.bridge, row.validDayType]
        values.append(min(3, log1p(rate)))
    }
}
