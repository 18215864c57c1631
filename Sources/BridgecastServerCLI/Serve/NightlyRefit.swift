// `serve --refit-hour`: starts `bridgecast refit` once a day as a child of the service, on one core and at the lowest
// priority. The service finds a new model file by itself.
import BridgecastCLI
import BridgecastCore
import Foundation
import Logging

struct NightlyRefit: Sendable {
    /// Of Seattle's clock, 0...23.
    let hour: Int
    /// Arguments of the child.
    let arguments: [String]
    let clock: any WallClock
    let log: Logger
    /// Runs a program to its end, and returns its exit code and its last line of errors.
    let run: @Sendable (_ arguments: [String]) async throws -> (code: Int32, error: String)

    init(
        hour: Int, store: String, model: String, clock: any WallClock = SystemWallClock(),
        log: Logger,
        run: @escaping @Sendable ([String]) async throws -> (code: Int32, error: String) =
            NightlyRefit.child
    ) {
        self.hour = hour
        arguments = ["refit", "--background", "--quiet", "--store", store, "--model", model]
        self.clock = clock
        self.log = log
        self.run = run
    }

    /// Refits every day until the task is cancelled; a refit that fails is logged, and the next one comes.
    func runDaily() async {
        while !Task.isCancelled {
            let now = clock.now
            let wait = Double(
                Self.next(after: now, hour: hour).secondsSinceEpoch - now.secondsSinceEpoch)
            do {
                try await clock.sleep(seconds: wait)
                log.info("refit begins")
                let (code, error) = try await run(arguments)
                if code == 0 {
                    log.info("refit ended")
                } else {
                    log.warning(
                        "refit failed; the model in use stays",
                        metadata: ["code": "\(code)", "reason": "\(error)"])
                }
            } catch is CancellationError {
                return
            } catch {
                log.warning("refit could not be started", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// The next time that is the full hour in Seattle; an hour that clocks skip is left out that day.
    static func next(after now: Timestamp, hour: Int) -> Timestamp {
        let date = SeattleTime.civil(at: now).date
        let times = (0...2).compactMap { days -> Timestamp? in
            let civil = CivilDateTime(date: date.adding(days: days), secondOfDay: hour * 3_600)
            return SeattleTime.resolve(civil).candidates.first
        }
        return times.first { $0 > now } ?? now.adding(minutes: 1440)
    }

    /// Runs this program with other arguments; it ends with the task.
    @Sendable static func child(_ arguments: [String]) async throws -> (code: Int32, error: String)
    {
        let process = Process()
        // One core: util-linux, which has it, is part of every Debian.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
        process.arguments = ["--cpu-list", "0", ShippedFiles.program?.path ?? ""] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        return try await withTaskCancellationHandler {
            let code = try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Int32, any Error>) in
                process.terminationHandler = {
                    continuation.resume(returning: $0.terminationStatus)
                }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
            try Task.checkCancellation()
            let text = String(
                decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            return (code, text.split(whereSeparator: \.isNewline).last.map(String.init) ?? "")
        } onCancel: {
            if process.isRunning { process.terminate() }
        }
    }
}
