// The version, wherever it is written.
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct VersionTests {
    private func lines(of path: String) throws -> [Substring] {
        try String(contentsOf: Fixtures.checkout.appendingPathComponent(path), encoding: .utf8)
            .split(separator: "\n")
    }

    @Test(arguments: [
        ("Sources/CBridgecast/include/bridgecast.h", "#define BRIDGECAST_VERSION \"X.Y.Z\""),
        ("Sources/BridgecastService/Resources/openapi.json", "  \"version\": \"X.Y.Z\","),
        (
            "Sources/Bridgecast/Bridgecast.docc/InARouteService.md",
            ".package(url: \"<this repository>\", from: \"X.Y.Z\", traits: []),"
        ),
    ])
    func filesNameTheVersion(_ path: String, _ line: String) throws {
        let wanted = line.replacing("X.Y.Z", with: BridgecastVersion.current)
        #expect(try lines(of: path).contains { $0 == wanted }, "\(path) should have: \(wanted)")
    }

    @Test func theNewestChangesAreOfTheVersion() throws {
        let headings = try lines(of: "CHANGELOG.md").filter { $0.hasPrefix("## ") }
        #expect(headings.first == "## \(BridgecastVersion.current)")
    }

    @Test func theVersionIsSemantic() {
        let parts = BridgecastVersion.current.split(separator: ".").map { Int($0) }
        #expect(parts.count == 3 && !parts.contains(nil))
    }
}
