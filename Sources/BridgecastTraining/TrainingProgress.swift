// What a training tells the person who waits.

/// Something to tell the person who waits.
package enum TrainingProgress: Sendable {
    case sampled(treeRows: Int, validationRows: Int)
    /// A teacher is done; its log loss of "blocked" on the validation rows, if there are any.
    case taught(teacher: Int, validationLoss: Double?)
    case epoch(EpochReport)
}
