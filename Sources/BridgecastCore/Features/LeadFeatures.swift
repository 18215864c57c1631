// Features of how far ahead the arrival is.
import Foundation

/// The lead time in soft scales.
enum LeadFeatures: MomentFeatures {
    private static let scalesMinutes = [2.0, 5, 12, 30]

    static let count = scalesMinutes.count + 1

    static let specs =
        scalesMinutes.map { FeatureSpec("lead.decay\(Int($0))min", .one, 0...1) } + [
            FeatureSpec("lead.hours", .one, 0...1)
        ]

    static func append(_ moment: MomentContext, to values: inout RowWriter) {
        let lead = moment.leadMinutes
        for scale in scalesMinutes { values.append(Float(exp(-lead / scale))) }
        values.append(Float(lead / 60))
    }
}
