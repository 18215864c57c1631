// The corpus of rejected files: each breaks one rule of the format and is refused for that rule.
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RejectedFileTests {
    private static let folder = Fixtures.checkout.appendingPathComponent(
        "Tests/BridgecastEngineTests/Rejected")

    /// The rule a file is refused for: as a network or, if that passes, as a forecast.
    private func brokenRule(_ bytes: [UInt8]) -> String? {
        do {
            _ = try ModelFile.readNetwork(bytes)
            _ = try ModelFile.read(bytes)
            return nil
        } catch {
            return error.rule
        }
    }

    @Test func everyFileIsRefusedForTheRuleItIsNamedAfter() throws {
        for file in RejectedFiles.all {
            let rule = String(file.name.prefix { $0 != "-" })
            #expect(brokenRule(file.bytes) == rule, "\(file.name)")
        }
        for format in WeightFormat.allCases {
            _ = try ModelFile.readNetwork(RejectedFiles.good(format))
            _ = try ModelFile.read(RejectedFiles.goodForecast(format))
        }
    }

    /// The committed files are what other implementations test against, so they must not drift.
    ///
    /// With BRIDGECAST_WRITE_CORPUS=1 they are written anew; they come out the same on every machine.
    @Test func theCommittedFilesAreTheSameByteForByte() throws {
        let manager = FileManager.default
        if ProcessInfo.processInfo.environment["BRIDGECAST_WRITE_CORPUS"] == "1" {
            try? manager.removeItem(at: Self.folder)
            try manager.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            for file in RejectedFiles.all {
                try Data(file.bytes).write(
                    to: Self.folder.appendingPathComponent(file.name + ".bcm"))
            }
        }
        let names = try manager.contentsOfDirectory(atPath: Self.folder.path).sorted()
        #expect(names == RejectedFiles.all.map { $0.name + ".bcm" }.sorted())
        for file in RejectedFiles.all {
            let url = Self.folder.appendingPathComponent(file.name + ".bcm")
            let isSame = [UInt8](try Data(contentsOf: url)) == file.bytes
            #expect(isSame, "\(file.name)")
        }
    }

    /// Every rule has a file, but for the two that a small file cannot break.
    @Test func everyRuleHasAFile() throws {
        let source = try String(
            contentsOf: Fixtures.checkout.appendingPathComponent(
                "Sources/BridgecastEngine/ModelFile/ModelFileError.swift"), encoding: .utf8)
        let declared = source.split(separator: "\n").prefix { !$0.hasPrefix("}") }
            .filter { $0.hasPrefix("    case ") }
            .map { $0.dropFirst(9).prefix { $0.isLetter } }
        #expect(declared.count > 30)
        let covered = Set(RejectedFiles.all.map { $0.name.prefix { $0 != "-" } })
        #expect(Set(declared).subtracting(covered) == ["unreadable", "tooLong"])
    }

    @Test func aFileTooLongOrNotThereIsRefusedAsThat() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("long.bcm")
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(ModelFileFormat.largestFileBytes) + 1)
        try handle.close()
        for (file, rule) in [
            (url, "tooLong"), (folder.appendingPathComponent("no.bcm"), "unreadable"),
        ] {
            do {
                _ = try ModelFile.read(file)
                Issue.record("\(rule) must be refused")
            } catch {
                #expect(error.rule == rule)
            }
        }
    }
}
