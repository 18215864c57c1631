// Progress of a training on standard error: one line a step.
import BridgecastTraining
import Foundation

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
            note("\(time): teacher \(teacher) done\(validation(loss))")
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

/// The commit of the checkout, for provenance.
enum GitCommit {
    /// The commit's hash, with "+" if the work tree differs; "unknown" outside a checkout.
    static func current() -> String {
        guard let home = ShippedFiles.home(), let hash = run(["rev-parse", "HEAD"], home) else {
            return "unknown"
        }
        let isClean = run(["status", "--porcelain", "--", "Sources", "Package.swift"], home) == ""
        return isClean ? hash : hash + "+"
    }

    private static func run(_ arguments: [String], _ folder: URL) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder.path] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
