// Files that commands write: existing files, links, devices, pipes, failures.
@testable import BridgecastCLI
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct OutputFileTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func aFileIsReplacedAndKeepsItsPermissions() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/out"
        try OutputFile(path).write("old")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try OutputFile(path).check()
        try OutputFile(path).write("new")
        #expect(try text(path) == "new")
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(permissions as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
    }

    @Test func aFileWhoseContentFailsHalfwayStaysAsItWas() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/out"
        try OutputFile(path).write("old")
        let failure = #expect(throws: CommandFailure.self) {
            try OutputFile(path).write { write in
                try write(Data("ne".utf8))
                throw CommandFailure(.data, "the store is damaged")
            }
        }
        #expect(failure?.message == "the store is damaged" && failure?.code == .data)
        #expect(try text(path) == "old")
        try OutputFile(path).write { write in
            for piece in ["n", "e", "w"] { try write(Data(piece.utf8)) }
        }
        #expect(try text(path) == "new")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
    }

    @Test func aLinkStaysAndItsTargetIsReplaced() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.path + "/link"
        let target = folder.path + "/target"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target")
        // A dangling one makes its target.
        for word in ["first", "second"] {
            try OutputFile(link).write(word)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target")
            #expect(try text(target) == word)
        }
    }

    @Test func writeFailuresNameThePath() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, words) in [
            (folder.path, "is a folder"), (folder.path + "/none/x", "No such file"),
            ("/dev/full", "No space left"),
        ] {
            let failure = #expect(throws: CommandFailure.self) { try OutputFile(path).write("x") }
            #expect(failure?.code == .io)
            #expect(failure?.message.hasPrefix("\(path): ") == true)
            #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
        }
        let kind = try FileManager.default.attributesOfItem(atPath: "/dev/full")[.type]
        #expect(kind as? FileAttributeType == .typeCharacterSpecial)
        #expect(throws: CommandFailure.self) { try OutputFolder("/proc/nowhere") }
        #expect(throws: CommandFailure.self) { try OutputFile("/proc/nowhere/x").check() }
    }

    /// Of a folder that may not be written nothing can be replaced, whatever the file's own permissions say.
    @Test(.enabled(if: getuid() != 0, "root may write everywhere")) func theFolderMustBeWritable()
        throws
    {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/out"
        try OutputFile(path).write("old")
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        try OutputFile(path).check()
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        #expect(throws: CommandFailure.self) { try OutputFile(path).check() }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }

    /// Where /dev/stdout is a file, others write to it too.
    @Test func standardOutputIsAppendedTo() async throws {
        try await withHome { home in
            let row = home.path + "/one.csv"
            try Data(
                "entityid,opendatetime,closedatetime\n3,2026-02-20T09:00:00,2026-02-20T09:04:00\n"
                    .utf8
            ).write(to: URL(fileURLWithPath: row))
            #expect(try await CommandRun(["ingest", row], home: home).code == 0)
            let program = try CommandRun.binary().path
            let run = try await CommandRun(
                process: [
                    "-c",
                    "{ echo before; '\(program)' history export -o /dev/stdout; echo after; } > \(home.path)/all 2>&1",
                ], home: home, executable: "/bin/sh")
            #expect(run.code == 0)
            let lines = try text(home.path + "/all").split(separator: "\n")
            #expect(lines.count == 5 && lines.first == "before" && lines.last == "after")
            #expect(lines.count == 5 && lines[1].hasPrefix("entityid,") && lines[2].hasPrefix("3,"))
        }
    }

    @Test func logsOfTwoProgramsAreBothKept() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/log"
        let one = try LineLog.appending(to: path)
        let two = try LineLog.appending(to: path)
        one("a\n")
        two("b\n")
        one("c\n")
        #expect(try text(path) == "a\nb\nc\n")
    }
}
