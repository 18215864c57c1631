// When the folder of a recipe may be written to.
import ArgumentParser
@testable import BridgecastCLI
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct OriginFolderTests {
    @Test func aFolderThatAnotherRunHasWrittenToSinceIsRefused() throws {
        let home = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: home) }
        let folder = OriginFolder(
            try OriginOptions.parse(["--recipe-name", "small", "--folder", home.path]))
        #expect(try folder.lock() == nil)
        // Another run begins and ends between the look at the folder and the work.
        let own = home.appendingPathComponent("small")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let scores = own.appendingPathComponent("2018-02-12.json")
        try Data("{}".utf8).write(to: scores)
        let failure = try #require(throws: CommandFailure.self) { try folder.make(nil) }
        #expect(failure.code == .io && failure.message.contains("small: another run has written"))

        // What was looked at under a lock may be there, and so may an empty folder.
        let held = try #require(try folder.lock())
        #expect(try folder.make(held) === held)
        try FileManager.default.removeItem(at: own)
        #expect(try folder.make(nil) != nil)
    }
}
