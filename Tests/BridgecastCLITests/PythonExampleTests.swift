// The example in Python, which calls the built library for C.
import BridgecastTestSupport
import Foundation
import Testing

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
        #expect(good.output.contains("Ballard, raised for a minute, in two minutes: 100%"))
        #expect(
            good.output.contains("Aurora Bridge")
                && good.output.contains("Ballard Bridge, 15th Ave W"))
        for (arguments, message) in [
            ([model, "Balard", "Downtown"], "did you mean Ballard? (64)"),
            ([script, "Ballard", "Downtown"], "(65)"),
            (["/nowhere.bcm", "Ballard", "Downtown"], "(66)"),
            ([model, "Ballard", "Downtown", "-5"], "no time"),
            ([model, "Ballard", "Ballard"], "same place"),
        ] {
            let run = try await python(arguments)
            #expect(run.code != 0 && run.errors.contains(message), "\(run.errors)")
        }
    }
}
