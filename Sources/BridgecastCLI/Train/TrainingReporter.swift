// Progress of a training on standard error: one line a step.
import BridgecastTraining

/// Prints what a training reports, with the time it took so far.
final class TrainingReporter: Sendable {
    private let start = ContinuousClock.now

    /// Prints one step.
    func report(_ progress: TrainingProgress) {
        let time =
            "\(minutesAndSeconds(Double((ContinuousClock.now - start).components.seconds))) min"
        switch progress {
        case .sampled(let rows, let validation):
            note("\(time): \(rows) rows for the trees, \(validation) to validate on")
        case .taught(let teacher, let loss):
            note("\(time): \(teacher) done\(validation(loss))")
        case .epoch(let epoch):
            note(
                "\(time): network, epoch \(epoch.epoch) of \(epoch.epochs), "
                    + "loss \(fixed(epoch.trainingLoss, 5))\(validation(epoch.validationLoss))")
        }
    }

    private func validation(_ loss: Double?) -> String {
        loss.map { ", validation \(fixed($0, 5))" } ?? ""
    }
}
