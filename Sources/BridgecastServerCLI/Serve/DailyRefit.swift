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
                log.warning(
                    "refit could not be started",
                    metadata: ["reason": "\(CommandFailure(error).message)"])
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

/// The control group of a process (cgroup v2).
struct ControlGroup: Sendable {
    /// That of this process; tests have others.
    @TaskLocal static var current = ControlGroup()

    /// Where the hierarchy is mounted.
    var root = "/sys/fs/cgroup"
    /// The file that names the group.
    var membership = "/proc/self/cgroup"

    /// The lowest memory limit of the group and of those above it, with its file; nil without a limit or without cgroup v2.
    var memoryLimit: (bytes: Int, path: String)? {
        let groups = (try? String(contentsOfFile: membership, encoding: .utf8)) ?? ""
        // Version 2 has the number 0 and no controllers.
        guard
            let group = groups.split(whereSeparator: \.isNewline).first(where: {
                $0.hasPrefix("0::/")
            })
        else { return nil }
        // Of a group outside the mounted namespace the path begins with "..".
        var folders = group.dropFirst(4).split(separator: "/").filter { $0 != ".." }
        var limits: [(bytes: Int, path: String)] = []
        while true {
            let path = ([root] + folders.map(String.init) + ["memory.max"]).joined(separator: "/")
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            // Without a limit it is "max".
            if let bytes = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) {
                limits.append((bytes, path))
            }
            guard folders.popLast() != nil else { break }
        }
        return limits.min { $0.bytes < $1.bytes }
    }
}

// MARK: - The child

/// A child process that ends with the task which awaits it.
///
/// Foundation's `Process` leaves a child the signals that its parent ignores, and those that the calling thread blocks: the
/// service ignores SIGTERM and handles it by Dispatch, whose threads block all signals. Such a child could not be ended.
final class ChildProcess: Sendable {
    /// How a process ended.
    struct End: Sendable, Equatable {
        /// Its exit code; 128 and the number of the signal that ended it.
        let code: Int32
        /// The last line that it wrote to standard error, at most 4 KiB of it.
        let error: String
    }

    private enum State {
        case ready, cancelled, ended
        case running(pid_t)
    }

    private let state = Mutex(State.ready)
    private static let maxErrorBytes = 4096

    private init() {}

    /// Runs a program until it ends; if the task is cancelled, ends it by SIGTERM and waits for that.
    ///
    /// - Parameter command: The path of the program, and its arguments.
    /// - Throws: `CancellationError`, or ``CommandFailure`` if it cannot be started.
    static func run(_ command: [String]) async throws -> End {
        let child = ChildProcess()
        let end = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // It blocks, so it has a thread of its own.
                Thread.detachNewThread {
                    continuation.resume(with: Result { try child.run(command) })
                }
            }
        } onCancel: {
            child.cancel()
        }
        try Task.checkCancellation()
        return end
    }

    private func cancel() {
        state.withLock { state in
            switch state {
            // Not reaped yet, so the number is still its own.
            case .running(let pid): kill(pid, SIGTERM)
            case .ready: state = .cancelled
            case .cancelled, .ended: break
            }
        }
    }

    private func run(_ command: [String]) throws -> End {
        let errors = Pipe()
        let pid = try state.withLock { state in
            guard case .ready = state else { throw CancellationError() }
            let descriptor = errors.fileHandleForWriting.fileDescriptor
            let pid = try Self.spawn(command, errors: descriptor)
            state = .running(pid)
            return pid
        }
        try? errors.fileHandleForWriting.close()
        // A full pipe would stop the child: it is read to its end, and the last bytes are kept.
        var tail = Data()
        while let more = try? errors.fileHandleForReading.read(upToCount: 1 << 16), !more.isEmpty {
            tail = Data((tail + more).suffix(Self.maxErrorBytes))
        }
        let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
        return End(code: end(of: pid), error: lines.last.map(String.init) ?? "")
    }

    /// Waits for the end and reaps the process.
    private func end(of pid: pid_t) -> Int32 {
        var info = unsafe siginfo_t()
        // Safe: both calls only fill what they are given, which lives through them.
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return state.withLock { state in
            var status: Int32 = 0
            unsafe waitpid(pid, &status, 0)
            state = .ended
            let signal = status & 0x7f
            return signal == 0 ? (status >> 8) & 0xff : 128 + signal
        }
    }

    /// The open files of this process.
    private static var openDescriptors: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }
    }

    /// Starts a program with no signal ignored or blocked, no input, no output, and standard error alone.
    private static func spawn(_ command: [String], errors: Int32) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        var actions = unsafe posix_spawn_file_actions_t()
        var signals = sigset_t()
        let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        var environment = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        // Safe: all structures are initialised before they are used, and live until they are destroyed.
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawn_file_actions_init(&actions)
        defer {
            unsafe posix_spawnattr_destroy(&attributes)
            unsafe posix_spawn_file_actions_destroy(&actions)
        }
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
        for descriptor in openDescriptors where descriptor > 2 {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        let code = unsafe posix_spawn(
            &pid, command[0], &actions, &attributes, &arguments, &environment)
        guard code == 0 else {
            throw CommandFailure(
                .unavailable,
                "\(command[0]): cannot be started: \(LocalFileError.description(of: code))")
        }
        return pid
    }
}
