// `serve --refit-hour`: starts `bridgecast refit` once a day as a child of the service, on one core and at the lowest
// priority, and refuses where there is too little memory for it. The service loads a new model file by itself.
import BridgecastCLI
import BridgecastCore
import BridgecastSupport
import Foundation
import Glibc
import Logging
import Synchronization

struct DailyRefit: Sendable {
    /// Of Seattle's clock, 0...23.
    let hour: Int
    /// Arguments of the child.
    let arguments: [String]
    let clock: any WallClock
    let log: Logger
    /// Runs `bridgecast` with arguments to its end.
    let run: @Sendable (_ arguments: [String]) async throws -> ChildProcess.End

    init(
        hour: Int, store: String, model: String, clock: any WallClock = SystemWallClock(),
        log: Logger,
        run: @escaping @Sendable ([String]) async throws -> ChildProcess.End = {
            try await ChildProcess.run(DailyRefit.command($0))
        }
    ) {
        self.hour = hour
        arguments = ["refit", "--background", "--quiet", "--store", store, "--model", model]
        self.clock = clock
        self.log = log
        self.run = run
    }

    /// Refits every day until the task is cancelled; a failure is logged, and the next day's refit is unaffected.
    func runDaily() async {
        while !Task.isCancelled {
            let now = clock.now
            let wait = Double(
                Self.next(after: now, hour: hour).secondsSinceEpoch - now.secondsSinceEpoch)
            do {
                try await clock.sleep(seconds: wait)
                log.info("refit started")
                let end = try await run(arguments)
                if end.code == 0 {
                    log.info("refit ended")
                } else {
                    log.warning(
                        "refit failed; the model in use stays",
                        metadata: ["code": "\(end.code)", "reason": "\(end.error)"])
                }
            } catch is CancellationError {
                return
            } catch {
                log.warning("refit could not be started", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// The next time that is the full hour in Seattle; a day on which clocks skip that hour is left out.
    static func next(after now: Timestamp, hour: Int) -> Timestamp {
        let date = SeattleTime.civil(at: now).date
        let times = (0...2).compactMap { days -> Timestamp? in
            let civil = CivilDateTime(date: date.adding(days: days), secondOfDay: hour * 3_600)
            return SeattleTime.resolve(civil).candidates.first
        }
        return times.first { $0 > now } ?? now.adding(minutes: 1440)
    }

    /// The command line that runs this program on one core: the first that this process may use.
    ///
    /// `taskset` is part of util-linux, which every Debian has.
    ///
    /// - Parameter status: The text of `/proc/self/status`.
    static func command(
        _ arguments: [String],
        status: String = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    ) -> [String] {
        let name = "Cpus_allowed_list:"
        let list = status.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name) }
        let core = list?.dropFirst(name.count).drop { $0.isWhitespace }.prefix { $0.isNumber }
        return ["/usr/bin/taskset", "--cpu-list", String(core ?? "0")]
            + [ShippedFiles.program?.path ?? "bridgecast"] + arguments
    }
}

// MARK: - Memory

extension DailyRefit {
    /// A fit takes 3 GB; the rest is for the service, which the refit shares a control group with.
    static let minMemoryBytes = 4 << 30

    /// Refuses a control group in which a refit would be killed, or the service with it.
    ///
    /// - Parameter option: The option that turns refits on, for the message.
    /// - Throws: ``CommandFailure``.
    static func checkMemory(
        option: String, in group: ControlGroup = .current
    ) throws(CommandFailure) {
        guard let limit = group.memoryLimit, limit.bytes < minMemoryBytes else { return }
        throw CommandFailure(
            .usage,
            "\(option): a refit takes 3 GB, and the service with it at least "
                + "\(minMemoryBytes >> 20) MiB, but \(limit.path) is \(limit.bytes >> 20) MiB; under systemd enable "
                + "bridgecast-refit.timer instead, in a container raise the limit (mem_limit)")
    }
}
