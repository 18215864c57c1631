// Runs a command line: in this process with its own console, or as the built program.
import ArgumentParser
import BridgecastCLI
import BridgecastServerCLI
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing

/// Runs a test with an empty home.
func withHome(_ body: (URL) async throws -> Void) async throws {
    let home = try Fixtures.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: home) }
    try await body(home)
}

/// Writes a file of a test and returns its path.
func write(_ text: String, _ name: String, in home: URL) throws -> String {
    let url = home.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url.path
}

/// A suite whose tests run single commands, each with a home of its own.
protocol RunsCommands {}

extension RunsCommands {
    func run(_ arguments: [String]) async throws -> CommandRun {
        let home = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: home) }
        return try await CommandRun(arguments, home: home)
    }

    /// What a command printed, as JSON.
    func document(_ run: CommandRun) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }
}

/// The result of a command line.
struct CommandRun {
    let code: Int32
    /// Standard output.
    let output: String
    /// Standard error.
    let errors: String
    /// The program and arguments if `bridgecast-server` was started.
    private(set) var serverArguments: [String]?

    /// Runs a command in this process, with a home of its own, so that no user's store is touched.
    ///
    /// - Parameters:
    ///   - root: The program; by default the one with all commands.
    ///   - environment: Changes of the default environment; HOME is removed.
    init(
        _ arguments: [String], of root: any ParsableCommand.Type = ServerCommand.self, home: URL,
        environment changes: [String: String]? = nil
    ) async throws {
        let output = TextSink()
        let errors = TextSink()
        let started = Mutex<[String]?>(nil)
        var environment = Self.environment(home: home)
        if let changes {
            environment["HOME"] = nil
            environment.merge(changes) { $1 }
        }
        let console = Console(
            environment: environment, output: { output.add($0) },
            errors: { errors.add($0) },
            become: { program, arguments, _ in
                started.withLock {
                    $0 = [URL(fileURLWithPath: program).lastPathComponent] + arguments
                }
            })
        code = await Console.$current.withValue(console) {
            await CommandLineProgram.run(root, arguments)
        }
        self.output = output.text
        self.errors = errors.text
        serverArguments = started.withLock(\.self)
    }

    /// Runs a program, by default the built `bridgecast`, in a process of its own.
    init(
        process arguments: [String], home: URL, executable: String? = nil
    ) async throws {
        let process = Process()
        process.executableURL = try executable.map { URL(fileURLWithPath: $0) } ?? Self.binary()
        process.arguments = arguments
        process.environment = Self.environment(home: home)
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        async let outputText = output.fileHandleForReading.everything()
        async let errorText = errors.fileHandleForReading.everything()
        code = try await process.end()
        self.output = await outputText
        self.errors = await errorText
    }

    private static func environment(home: URL) -> [String: String] {
        // Variables of the machine that the tests need (tools/checks/elsewhere sets some).
        let kept = [
            "PATH", "LD_LIBRARY_PATH", "TMPDIR", "TZ", "LANG", "LC_ALL", "BRIDGECAST_ISA",
        ]
        let own = ProcessInfo.processInfo.environment.filter { kept.contains($0.key) }
        let ours = [
            "HOME": home.path, "BRIDGECAST_HOME": Fixtures.checkout.path,
            "OPENBLAS_NUM_THREADS": "1", "TERM": "xterm",
        ]
        return own.merging(ours) { _, ours in ours }
    }

    /// A program built with these tests.
    static func binary(_ name: String = "bridgecast") throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let found = URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: found.path) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return found
    }
}

/// Text that several threads write.
private final class TextSink: Sendable {
    private let content = Mutex("")

    var text: String { content.withLock { $0 } }

    func add(_ more: String) { content.withLock { $0 += more } }
}

extension Process {
    /// Starts the process and awaits its end; no thread of the pool waits for it.
    fileprivate func end() async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try run()
            } catch {
                terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}

extension FileHandle {
    /// The text to the end of a pipe, read on a thread of its own.
    fileprivate func everything() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let data = self.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}
