// What a training tells the person who waits.

/// Something to tell the person who waits.
package enum TrainingProgress: Sendable {
    /// The rows for the teachers are drawn; `validationRows` is 0 without validation.
    case sampled(treeRows: Int, validationRows: Int)
    /// A teacher is done, said in words; its log loss of "blocked" on the validation rows, if there are any.
    case taught(teacher: String, validationLoss: Double?)
    /// The network has gone through an epoch.
    case epoch(EpochReport)
}
