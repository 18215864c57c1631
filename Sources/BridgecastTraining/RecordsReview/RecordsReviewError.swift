// Why records are refused as a whole; thrown by RecordsReview, shown by `bridgecast train`.
package import BridgecastCore

/// Why records are refused as a whole.
package enum RecordsReviewError: Failure, Equatable {
    /// Too much of the covered time contradicts the rest: its share, 0...1, and what was found.
    case contradictory(share: Double, findings: [String])

    /// Whose matter it is.
    package var kind: FailureKind { .data }

    /// The problem and its remedy.
    package var description: String {
        switch self {
        case .contradictory(let share, let findings):
            let most = 5
            let first = findings.prefix(most).joined(separator: "; ")
            let more = findings.count > most ? "; and \(findings.count - most) more" : ""
            return
                "the records contradict themselves in \(Int((share * 100).rounded())) % of the time for "
                + "which they are said to be complete (\(first)\(more)): correct the records or their "
                + "--coverage, or use them as they are with --keep-all-records"
        }
    }
}
