// `serve --refit-hour`: when a refit begins, what it needs, and how its process runs and ends.
import BridgecastCLI
import BridgecastCore
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Glibc
import Logging
import Synchronization
import Testing

@testable import BridgecastServerCLI

@Suite struct DailyRefitTests {
    @Test func aRefitBeginsAtTheHourOfSeattlesClockEachDay() async throws {
        let now = Fixtures.timestamp("2026-03-07T12:00")
        // Clocks skip two o'clock on the 8th.
        for (hour, next) in [
            (13, "2026-03-07T13:00"), (12, "2026-03-08T12:00"), (3, "2026-03-08T03:00"),
            (2, "2026-03-09T02:00"), (0, "2026-03-08T00:00"),
        ] {
            #expect(
                DailyRefit.next(after: now, hour: hour) == Fixtures.timestamp(next), "\(hour)")
        }
        let clock = JumpingClock(now)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let begun = Mutex<[Timestamp]>([])
        let refit = DailyRefit(
            hour: 3, store: try StoreLocation("/s/h.sqlite"), model: "/m/a.int8.bcm", clock: clock,
            log: log
        ) { arguments in
            #expect(
                arguments == [
                    "refit", "--background", "--quiet", "--store", "/s/h.sqlite", "--model",
                    "/m/a.int8.bcm",
                ])
            let count = begun.withLock {
                $0.append(clock.now)
                return $0.count
            }
            // The first fails, the second cannot be started, the third is cut off by the end of the service.
            switch count {
            case 1: return ChildProcess.End(code: 65, error: "too few days")
            case 2: throw CocoaError(.fileNoSuchFile)
            default: throw CancellationError()
            }
        }
        await refit.runDaily()
        #expect(
            begun.withLock(\.self)
                == ["2026-03-08T03:00", "2026-03-09T03:00", "2026-03-10T03:00"].map(
                    Fixtures.timestamp))
    }

    @Test func aRefitNeedsAModelThatMayBeReplacedAndAStore() async throws {
        try await withHome { home in
            for (arguments, text) in [
                (["--refit-hour", "3"], "--refit-hour needs --model"),
                (["--refit-hour", "3", "--model", "m.int8.bcm", "--no-store"], "contradict"),
                (
                    ["--refit-hour", "3", "--model", "m.int8.bcm", "--replay", "2026-02-20"],
                    "contradict"
                ),
                (["--refit-hour", "24"], "--refit-hour"),
                (["--refit-hour", "3", "--model", "m.bcm"], "NAME.int8.bcm"),
                (["--refit-hour", "3", "--model", ".m.int8.bcm"], "NAME.int8.bcm"),
            ] {
                let run = try await CommandRun(["serve", "--check"] + arguments, home: home)
                #expect(run.code == 64 && run.errors.contains(text), "\(arguments): \(run.errors)")
            }
        }
    }

    // MARK: Memory

    /// A folder like that of cgroup v2, with limits of some groups.
    private func controlGroup(
        _ membership: String, limits: [String: String], in home: URL
    ) throws -> ControlGroup {
        let root = home.appendingPathComponent("cgroup")
        for (group, limit) in limits {
            let folder = root.appendingPathComponent(group)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            _ = try write(limit + "\n", "memory.max", in: folder)
        }
        let file = try write(membership, "membership", in: home)
        return ControlGroup(root: root.path, membership: file)
    }

    @Test(arguments: [false, true])
    func aRefitIsRefusedWhereTheControlGroupHasTooLittleMemory(_ isCheck: Bool) async throws {
        try await withHome { home in
            let group = try controlGroup(
                "0::/system.slice/bridgecast.service\n",
                limits: [
                    "system.slice": "max", "system.slice/bridgecast.service": "\(512 << 20)",
                ], in: home)
            let arguments = ["serve", "--model", home.path + "/m.int8.bcm"]
            func run(_ more: [String], in group: ControlGroup) async throws -> CommandRun {
                try await ControlGroup.$current.withValue(group) {
                    try await CommandRun(
                        arguments + more + (isCheck ? ["--check"] : []), home: home)
                }
            }
            let refused = try await run(["--refit-hour", "3"], in: group)
            #expect(
                refused.code == 64 && refused.errors.contains("memory.max is 512 MiB")
                    && refused.errors.contains("bridgecast-refit.timer"), "\(refused.errors)")
            // Only a refit needs that memory; with enough of it the missing model is what is wrong.
            let unlimited = try controlGroup(
                "0::/system.slice/bridgecast.service\n",
                limits: ["system.slice/bridgecast.service": "\(4 << 30)"], in: home)
            for run in [
                try await run([], in: group), try await run(["--refit-hour", "3"], in: unlimited),
            ] {
                #expect(run.code == 66, "\(run.errors)")
            }
        }
    }

    @Test func theLowestLimitOfTheGroupsAboveCounts() async throws {
        try await withHome { home in
            let limits = ["": "9", "a": "7", "a/b": "8", "a/b/c": "max"]
            for (membership, bytes) in [
                ("0::/a/b/c\n", 7), ("12:memory:/x\n0::/\n", 9), ("0::/../a\n", 7),
                ("0::/z/y\n", 9),
                ("4:memory:/a\n", nil), ("", nil),
            ] {
                let group = try controlGroup(membership, limits: limits, in: home)
                #expect(group.memoryLimit?.bytes == bytes, "\(membership)")
            }
        }
    }

    // MARK: The child

    @Test func theFirstCoreThatIsAllowedIsUsed() {
        for (list, core) in [("0-1", "0"), ("2-3,7", "2"), ("5", "5"), ("11,13", "11")] {
            let command = DailyRefit.command(
                ["refit"],
                status: "Cpus_allowed:\t3\nCpus_allowed_list:\t\(list)\nMems_allowed_list:\t0\n")
            #expect(command.prefix(3) == ["/usr/bin/taskset", "--cpu-list", core])
            #expect(command.last == "refit" && command.count == 5)
        }
    }

    /// A pipe holds 64 KiB.
    @Test func aChildMayWriteMoreErrorsThanAPipeHolds() async throws {
        let script =
            "head -c 200000 /dev/zero | tr '\\0' x >&2; echo >&2; echo 'the last line' >&2; exit 3"
        let end = try await ChildProcess.run(["/bin/sh", "-c", script])
        #expect(end == ChildProcess.End(code: 3, error: "the last line"))
        let line = try await ChildProcess.run(
            ["/bin/sh", "-c", "head -c 200000 /dev/zero | tr '\\0' x >&2"])
        #expect(line == ChildProcess.End(code: 0, error: String(repeating: "x", count: 4096)))
        let killed = try await ChildProcess.run(["/bin/sh", "-c", "kill -9 $$"])
        #expect(killed.code == 137)
    }

    /// The service ignores signals that it handles itself; here one that no other test uses is ignored.
    @Test func aChildIgnoresAndBlocksNoSignal() async throws {
        signal(SIGTTOU, SIG_IGN)
        defer { signal(SIGTTOU, SIG_DFL) }
        for field in ["SigIgn", "SigBlk"] {
            let end = try await ChildProcess.run(
                ["/bin/sh", "-c", "grep \(field) /proc/self/status >&2"])
            let mask = try #require(
                end.error.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
            // 32 and 33 are glibc's own.
            #expect(mask & 0x7fff_ffff == 0, "\(end.error)")
        }
    }

    @Test func aChildEndsWhenItsTaskIsCancelled() async throws {
        try await withHome { home in
            let file = home.path + "/pid"
            let task = Task {
                try await ChildProcess.run(
                    [
                        "/bin/sh", "-c",
                        "echo $$ >\(file).part; mv \(file).part \(file); exec sleep 600",
                    ])
            }
            while !FileManager.default.fileExists(atPath: file) {
                try await Task.sleep(for: .milliseconds(10))
            }
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(kill(pid, 0) == 0)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(kill(pid, 0) == -1 && errno == ESRCH)
        }
    }

    @Test func aChildOfACancelledTaskIsNotStarted() async throws {
        try await withHome { home in
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await ChildProcess.run(["/usr/bin/touch", home.path + "/started"])
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(!FileManager.default.fileExists(atPath: home.path + "/started"))
        }
    }

    @Test func aMissingProgramIsNamed() async throws {
        let error = await #expect(throws: ChildProcessError.self) {
            try await ChildProcess.run(["/nonexistent/taskset"])
        }
        #expect(
            error?.description
                == "/nonexistent/taskset: cannot be started: No such file or directory")
    }
}
