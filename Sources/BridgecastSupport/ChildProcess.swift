// A program that is run to its end: without a shell, with its input given and the end of its errors kept.
private import Foundation
private import Glibc
private import Synchronization

/// A child process that ends with the task which awaits it.
///
/// Foundation's `Process` leaves a child the signals that its parent ignores, and those that the calling thread blocks: the
/// service ignores SIGTERM and handles it by Dispatch, whose threads block all signals. Such a child could not be ended.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package struct End: Sendable, Equatable {
        /// Its exit code; 128 and the number of the signal that ended it.
        package let code: Int32
        /// The last line that it wrote to standard error, at most 4 KiB of it.
        package let error: String
        /// Whether it took too long and was ended.
        package var tookTooLong = false

        package init(code: Int32, error: String) {
            self.code = code
            self.error = error
        }
    }

    private enum State {
        case ready, cancelled, ended
        case running(pid_t)
    }

    private let state = Mutex(State.ready)
    private static let maxErrorBytes = 4096
    /// How often it is looked whether the process has ended.
    private static let pollMilliseconds: Int32 = 50
    /// How long a process may take to end after SIGTERM before it is ended by SIGKILL.
    private static let graceSeconds = 2.0

    private init() {}

    /// Runs a program until it ends; if the task is cancelled, ends it by SIGTERM and waits for that.
    ///
    /// - Parameters:
    ///   - command: The path of the program, and its arguments.
    ///   - environment: All of its environment; nil for that of this process.
    ///   - input: Its standard input.
    ///   - maxSeconds: After this time it is ended, with all that it started in its group: by SIGTERM, then by SIGKILL; nil
    ///     for no limit.
    /// - Throws: `CancellationError`, or ``ChildProcessError`` if it cannot be started.
    package static func run(
        _ command: [String], environment: [String: String]? = nil, input: [UInt8] = [],
        maxSeconds: Double? = nil
    ) async throws -> End {
        let child = ChildProcess()
        let end = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // It blocks, so it has a thread of its own.
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result {
                            try child.run(
                                command, environment ?? ProcessInfo.processInfo.environment, input,
                                maxSeconds: maxSeconds)
                        })
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

    private func run(
        _ command: [String], _ environment: [String: String], _ input: [UInt8], maxSeconds: Double?
    ) throws -> End {
        let errors = Pipe()
        let content = try NamelessFile(input)
        let pid = try state.withLock { state in
            guard case .ready = state else { throw CancellationError() }
            let pid = try Self.spawn(
                command, environment, input: content.descriptor,
                errors: errors.fileHandleForWriting.fileDescriptor)
            state = .running(pid)
            return pid
        }
        try? errors.fileHandleForWriting.close()
        let (tail, tookTooLong) = awaitEnd(
            of: pid, errors: errors.fileHandleForReading.fileDescriptor, maxSeconds: maxSeconds)
        let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
        var end = End(code: reap(pid), error: lines.last.map(String.init) ?? "")
        end.tookTooLong = tookTooLong
        return end
    }

    /// Waits until a process has ended and returns the last bytes of its errors, and whether it took too long.
    ///
    /// A full pipe would stop it, so it is read meanwhile; what a process that it has left running may still write is not
    /// waited for.
    private func awaitEnd(
        of pid: pid_t, errors: Int32, maxSeconds: Double?
    ) -> (tail: [UInt8], tookTooLong: Bool) {
        _ = fcntl(errors, F_SETFL, O_NONBLOCK)
        let start = ContinuousClock.now
        var tail: [UInt8] = []
        var signals = [SIGTERM, SIGKILL][...]
        while true {
            let hasEnded = Self.hasEnded(pid)
            tail = (tail + Self.available(in: errors)).suffix(Self.maxErrorBytes)
            guard !hasEnded else { return (tail, signals.count < 2) }
            var poll = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
            // Safe: the call fills one structure, which lives through it.
            _ = unsafe Glibc.poll(&poll, 1, Self.pollMilliseconds)
            // Once it has closed its errors there is nothing to wait for but time.
            if poll.revents & Int16(POLLHUP) != 0 { usleep(1000) }
            let limit = (maxSeconds ?? .infinity) + (signals.count == 1 ? Self.graceSeconds : 0)
            if (ContinuousClock.now - start) / .seconds(1) > limit, let next = signals.popFirst() {
                // Not reaped yet, so the number is still that of its group.
                kill(-pid, next)
            }
        }
    }

    private static func hasEnded(_ pid: pid_t) -> Bool {
        var info = unsafe siginfo_t()
        // Safe: the call only fills what it is given, which lives through it. Without an end the code stays 0.
        let result = unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | WNOHANG)
        return unsafe result != 0 && errno != EINTR || info.si_code != 0
    }

    private static func available(in descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = unsafe max(0, read(descriptor, buffer.baseAddress, 1 << 16))
            }
            guard !more.isEmpty else { return bytes }
            bytes = (bytes + more).suffix(maxErrorBytes)
        }
    }

    private func reap(_ pid: pid_t) -> Int32 {
        state.withLock { state in
            var status: Int32 = 0
            // Safe: the call fills a number that lives through it.
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

    /// Starts a program in a group of its own with no signal ignored or blocked, its input, no output, and standard error.
    private static func spawn(
        _ command: [String], _ environment: [String: String], input: Int32, errors: Int32
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        var actions = unsafe posix_spawn_file_actions_t()
        var signals = sigset_t()
        let variables = environment.map { "\($0.key)=\($0.value)" }
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        var values = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + values).forEach { unsafe free($0) } }
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
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
        for descriptor in openDescriptors where descriptor > 2 {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        let code = unsafe posix_spawn(&pid, command[0], &actions, &attributes, &arguments, &values)
        guard code == 0 else {
            throw ChildProcessError(
                program: command[0], reason: LocalFileError.description(of: code))
        }
        return pid
    }
}

/// Why a program was not started.
package struct ChildProcessError: Failure, Equatable {
    package let program: String
    package let reason: String

    /// Always ``FailureKind/unavailable``.
    package var kind: FailureKind { .unavailable }

    package var description: String { "\(printable(program)): cannot be started: \(reason)" }
}

/// Input of a program in a file that has lost its name: unlike a pipe it never blocks, and it may be left unread.
private final class NamelessFile {
    let descriptor: Int32

    init(_ bytes: [UInt8]) throws {
        let folder = FileManager.default.temporaryDirectory.path
        var template = Array("\(folder)/bridgecast-XXXXXX".utf8CString)
        // Safe: the calls use the template, which ends in a zero and lives through them. Its mode is 0600.
        descriptor = unsafe template.withUnsafeMutableBufferPointer {
            guard let name = $0.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(name)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            if descriptor >= 0 { unsafe unlink(name) }
            return descriptor
        }
        // Safe: the bytes live through the call, which writes no more than there are.
        let written = unsafe bytes.withUnsafeBytes {
            unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard descriptor >= 0, written == bytes.count else {
            throw ChildProcessError(
                program: folder, reason: LocalFileError.description(of: errno))
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
