// The two programs: their help, the commands that start the other one, output that cannot be written.
import ArgumentParser
import BridgecastServerCLI
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCLI

@Suite struct ProgramTests {
    @Test func helpNamesEveryCommand() async throws {
        try await withHome { home in
            let run = try await CommandRun(["--help"], home: home)
            #expect(run.code == 0 && run.errors.isEmpty)
            let commands = BridgecastCommand.configuration.subcommands.compactMap {
                $0.configuration.commandName
            }
            #expect(commands.count == 30)
            for command in commands {
                #expect(run.output.contains("\n  \(command) "), "\(command)")
                for words in [[command, "--help"], ["help", command]] {
                    let own = try await CommandRun(words, home: home)
                    #expect(own.code == 0 && own.errors.isEmpty, "\(words)")
                    #expect(own.output.contains("USAGE: bridgecast \(command) "), "\(words)")
                }
            }
        }
    }

    /// What needs the network is the same in the list of commands, in the other program and in the script.
    @Test func theProgramsAgreeOnWhatNeedsTheNetwork() async throws {
        try await withHome { home in
            let names = { (root: any ParsableCommand.Type) in
                root.configuration.subcommands.map { $0.configuration.commandName ?? "" }
            }
            #expect(names(BridgecastCommand.self) == names(ServerCommand.self))
            let script = try String(
                contentsOf: Fixtures.checkout.appendingPathComponent("tools/bridgecast"),
                encoding: .utf8)
            for command in NetworkCommand.allCases.map(\.rawValue) {
                #expect(
                    script.contains("\"\(command) \"*") && script.contains("\"help \(command)\""))
                let run = try await CommandRun(
                    [command, "--seconds", "3"], of: BridgecastCommand.self, home: home)
                #expect(run.serverArguments == ["bridgecast-server", command, "--seconds", "3"])
            }
            let words = ["replay", "--bridges-url", "http://127.0.0.1:1/", "--speed", "9"]
            let run = try await CommandRun(words, of: BridgecastCommand.self, home: home)
            #expect(run.code == 0 && run.serverArguments == ["bridgecast-server"] + words)
        }
    }

    @Test(arguments: NetworkCommand.allCases)
    func networkCommandsStartTheOtherProgram(_ command: NetworkCommand) async throws {
        try await withHome { home in
            for arguments in [[command.rawValue, "--help"], ["help", command.rawValue]] {
                let run = try await CommandRun(process: arguments, home: home)
                #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
                #expect(run.output.contains("USAGE: bridgecast \(command) "))
                #expect(run.output.contains(command.abstract.prefix(40)))
            }
            // Alone in a folder, and not on the path.
            let alone = home.appendingPathComponent("bridgecast")
            try FileManager.default.copyItem(at: try CommandRun.binary(), to: alone)
            let run = try await CommandRun(
                process: [command.rawValue], home: home, executable: alone.path)
            #expect(run.code == 69 && run.output.isEmpty)
            #expect(run.errors.contains("bridgecast-server") && run.errors.contains("--product"))
        }
    }

    @Test(arguments: [
        ["--help"], ["--at", "2026-02-20T12:00", "--only", "Ballard", "--format", "json"],
        ["replay", "--speed", "max", "--format", "lines"],
        ["replay", "--speed", "max", "--format", "ndjson"],
        ["inspect", Fixtures.model("bridgecast.int8.bcm").path],
    ])
    func outputThatCannotBeWrittenIsAFailure(_ arguments: [String]) async throws {
        try await withHome { home in
            let words = arguments.map { "'\($0)'" }.joined(separator: " ")
            let run = try await CommandRun(
                process: ["-c", "'\(try CommandRun.binary().path)' \(words) > /dev/full"],
                home: home,
                executable: "/bin/sh")
            #expect(run.code == 74, "\(run.errors)")
            #expect(run.errors.contains("standard output cannot be written: No space left"))
        }
    }
}

@Suite struct PythonExampleTests {
    @Test func theCLibraryServesPython() async throws {
        let library = try CommandRun.binary("libBridgecastABI.so").path
        try #require(FileManager.default.fileExists(atPath: library), "built with the tests")
        let script = Fixtures.checkout.appendingPathComponent("tools/examples/bridgecast.py").path
        let home = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: home) }
        func python(_ arguments: [String]) async throws -> CommandRun {
            try await CommandRun(
                process: ["python3", script, library] + arguments, home: home,
                executable: "/usr/bin/env")
        }
        let model = Fixtures.model("bridgecast.int8.bcm").path
        let good = try await python([model, "Ballard", "Downtown", "1771607000"])
        #expect(good.code == 0, "\(good.errors)")
        #expect(
            good.output.contains("Ballard, raised for a minute, in two minutes: 99%"))
        #expect(
            good.output.contains("Aurora Bridge")
                && good.output.contains("Ballard Bridge, 15th Ave W"))
        for (arguments, message) in [
            ([model, "Balard", "Downtown"], "did you mean Ballard? (64)"),
            ([script, "Ballard", "Downtown"], "(65)"),
            (["/nowhere.bcm", "Ballard", "Downtown"], "(66)"),
            ([model, "Ballard", "Downtown", "-5"], "is not a time"),
            ([model, "Ballard", "Ballard"], "same place"),
        ] {
            let run = try await python(arguments)
            #expect(run.code != 0 && run.errors.contains(message), "\(run.errors)")
        }
    }
}
