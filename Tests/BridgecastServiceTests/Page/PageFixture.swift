// A small page in a folder of its own, and a service that shows it; for tests of the page.
import BridgecastTestSupport
import Foundation
import Hummingbird
import HummingbirdTesting

@testable import BridgecastService

struct PageFixture {
    /// The page's folder, in a folder that nothing else lies in but `secret.js`.
    let folder: URL
    private let outside: URL

    static let index = """
        <!doctype html>
        <html lang="en"><head><!-- preload --><script type="module" src="main.js"></script></head>
        <body><noscript><!-- bridges --></noscript></body></html>
        """

    /// Writes the page.
    init() throws {
        outside = try Fixtures.temporaryFolder()
        folder = outside.appendingPathComponent("page")
        try Self.write("secret();", to: outside.appendingPathComponent("secret.js"))
        try write(Self.index, to: "index.html")
        try write("import { draw } from \"./draw/map.js\";\ndraw();\n", to: "main.js")
        try write("export const draw = () => {};\n", to: "draw/map.js")
        try write("{\"hello\": \"hola\"}", to: "text/es.json")
    }

    /// Writes a file of the page.
    func write(_ text: String, to path: String) throws {
        try Self.write(text, to: folder.appendingPathComponent(path))
    }

    /// Takes everything away.
    func remove() { try? FileManager.default.removeItem(at: outside) }

    private static func write(_ text: String, to url: URL) throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url, options: .atomic)
    }

    /// Sends requests to a service that shows the page and looks at its files again each time.
    func visiting(
        _ settings: ServiceSettings = ServiceSettings(), hasBoard: Bool = true,
        _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let shelf = try PageShelf(folder, pauseSeconds: 0)
        var parts = try ServiceFixture.parts()
        parts.page = shelf
        let state = ServiceState(parts, settings)
        if hasBoard { state.show(try await ServiceFixture.state().board()) }
        let application = Application(
            responder: ServiceResponder(state, try ProxyTrust(settings)))
        try await application.test(.router, body)
    }
}
