// Progress of a training on standard error: one line per epoch, with the time still to go.
import BridgecastTraining
import Foundation
import Synchronization

/// Prints what a training reports; safe to call from several tasks.
final class TrainingReporter: Sendable {
    private struct State {
        var start = ContinuousClock.now
        var epochsDone = 0
    }

    private let epochsPlanned: Int
    private let state = Mutex(State())

    /// A reporter for a plan; the refit, whose length is not known yet, is taken as full.
    init(_ plan: TrainingPlan) {
        let networks = (plan.teachers > 1 ? plan.teachers : 0) + 1
        epochsPlanned = networks * plan.settings.epochs * (plan.refitsOnAll ? 2 : 1)
    }

    /// Prints one step.
    func report(_ progress: TrainingProgress) {
        switch progress {
        case .sampled(let training, let validation):
            note("rows: \(training) to train on, \(validation) to validate on")
            state.withLock { if $0.epochsDone == 0 { $0.start = .now } }
        case .epoch(let network, let epoch):
            let validation = epoch.validationLoss.map { ", validation \(fixed($0, 5))" } ?? ""
            note(
                "\(network): epoch \(epoch.epoch)/\(epoch.epochs), "
                    + "loss \(fixed(epoch.trainingLoss, 5))\(validation), \(timeLeft())")
        case .finished(let network, let best, let loss):
            note("\(network): best epoch \(best)" + (loss.map { " (\(fixed($0, 5)))" } ?? ""))
        }
    }

    private func timeLeft() -> String {
        let seconds = state.withLock { state in
            state.epochsDone += 1
            let elapsed = Double((ContinuousClock.now - state.start).components.seconds)
            let left = max(0, epochsPlanned - state.epochsDone)
            return elapsed / Double(state.epochsDone) * Double(left)
        }
        return "at most \(minutesAndSeconds(seconds)) min to go"
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
