import BridgecastEngine
import BridgecastObservation
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing
@testable import BridgecastService

@Suite struct PageTests {
    @Test func theDocumentHasTheBridgesAndItsModules() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting { client in
            for path in ["/", "/index.html", "/?from=Ballard&to=Downtown"] {
                let answer = try await client.execute(uri: path, method: .get)
                #expect(answer.status == .ok)
                #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
                let text = String(buffer: answer.body)
                #expect(text.contains("<link rel=\"modulepreload\" href=\"draw/map.js\">"))
                #expect(!text.contains("href=\"main.js\""))
                // Ballard Bridge went up two minutes ago; Lower Spokane is not observed.
                #expect(text.contains("<tr class=\"raised\"><th scope=\"row\">Ballard</th>"))
                #expect(text.contains("<h1 class=\"headline is-up\">Ballard is up.</h1>"))
                #expect(text.contains("<td>raised for 2 min, since 6:00\u{A0}PM</td>"))
                #expect(text.contains("<td>no sensor: forecast without one</td>"))
                #expect(!text.contains(PageShell.bridgesMark))
                #expect(!text.contains(" style="))
            }
        }
    }

    @Test func theTableIsInTheVisitorsLanguage() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting { client in
            for (accept, words) in [
                ("es-MX,es;q=0.9,en;q=0.5", "levantado desde hace 2 min, a las 18:00"),
                ("fr, en;q=0.8, es;q=0.2", "raised for 2 min, since 6:00\u{A0}PM"),
            ] {
                let answer = try await client.execute(
                    uri: "/", method: .get, headers: [.acceptLanguage: accept])
                #expect(String(buffer: answer.body).contains(words))
                #expect(answer.headers[.vary] == "Accept-Language, Accept-Encoding")
            }
        }
    }

    @Test func beforeTheFirstSnapshotThereIsASentence() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting(hasBoard: false) { client in
            let answer = try await client.execute(uri: "/", method: .get)
            let text = String(buffer: answer.body)
            #expect(answer.status == .ok)
            #expect(text.contains("Reading the bridges.") && !text.contains("<table"))
        }
    }

    @Test func filesAreRevalidatedByTheirTag() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting { client in
            for path in ["/", "/main.js", "/text/es.json"] {
                let first = try await client.execute(uri: path, method: .get)
                #expect(first.status == .ok)
                #expect(first.headers[.cacheControl] == "no-cache")
                let tag = try #require(first.headers[.eTag])
                let again = try await client.execute(
                    uri: path, method: .get, headers: [.ifNoneMatch: tag])
                #expect(again.status == .notModified && again.body.readableBytes == 0)
                let head = try await client.execute(uri: path, method: .head)
                #expect(head.status == .ok && head.body.readableBytes == 0)
                #expect(head.headers[.eTag] == tag)
            }
            let module = try await client.execute(uri: "/main.js", method: .get)
            #expect(module.headers[.contentType] == "text/javascript; charset=utf-8")
        }
    }

    @Test func editedAndNewFilesAreServed() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting { client in
            let before = try await client.execute(uri: "/main.js", method: .get)
            try page.write("import \"./core/new.js\";\n", to: "main.js")
            try page.write("new();", to: "core/new.js")
            let after = try await client.execute(uri: "/main.js", method: .get)
            #expect(String(buffer: after.body) == "import \"./core/new.js\";\n")
            #expect(after.headers[.eTag] != before.headers[.eTag])
            let new = try await client.execute(uri: "/core/new.js", method: .get)
            #expect(String(buffer: new.body) == "new();")
            let index = try await client.execute(uri: "/", method: .get)
            #expect(String(buffer: index.body).contains("href=\"core/new.js\""))
            try FileManager.default.removeItem(at: page.folder.appendingPathComponent("core"))
            let gone = try await client.execute(uri: "/core/new.js", method: .get)
            #expect(try ReportedProblem(gone).code == "not_found")
        }
    }

    @Test func aBundleOfTheCurrentFilesIsLinkedInPlaceOfTheModules() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        let digest = try page.writeBundle()
        try await page.visiting { client in
            func index() async throws -> String {
                String(buffer: try await client.execute(uri: "/", method: .get).body)
            }
            let bundled = try await index()
            #expect(bundled.contains("<script type=\"module\" src=\"vendor/bundle.js\">"))
            #expect(bundled.contains("modulepreload\" href=\"vendor/bundle-chunk-A.js\""))
            #expect(!bundled.contains("main.js") && !bundled.contains("draw/map.js"))
            // An edit shows at once, although no browser asks for that module.
            try page.write("export const draw = () => { };\n", to: "draw/map.js")
            let edited = try await index()
            #expect(edited.contains("src=\"main.js\"") && edited.contains("href=\"draw/map.js\""))
            #expect(!edited.contains("vendor/bundle"))
            // Made again, it has a file with another name.
            #expect(try page.writeBundle(chunk: "B") != digest)
            #expect(try await index().contains("vendor/bundle-chunk-B.js"))
        }
    }

    @Test(arguments: ["vendor/bundle-chunk-A.js", "vendor/bundle.css"])
    func aBundleThatLacksAFileIsNotLinked(path: String) async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try page.writeBundle()
        try FileManager.default.removeItem(at: page.folder.appendingPathComponent(path))
        try await page.visiting { client in
            let index = String(buffer: try await client.execute(uri: "/", method: .get).body)
            #expect(index.contains("src=\"main.js\"") && !index.contains("vendor/bundle"))
        }
    }

    @Test func theDigestOfABundleIsThatOfTheTool() throws {
        let files = [
            "main.js": "b();\n", "draw/map.js": "a", "index.html": "<p>", "style/a.css": "c{}",
            "text/en.json": "{}", "vendor/bundle.js": "x", "vendor/bundle-chunk-A.js": "y",
        ].mapValues { ByteBuffer(string: $0) }
        // { printf 'draw/map.js\na'; printf 'index.html\n<p>'; printf 'main.js\nb();\n'; printf 'style/a.css\nc{}'; } | sha256sum
        #expect(
            PageBundle.digest(of: files)
                == "ab49c207eceee79e38e2bd476adbfd010ef10c4dc7c46558a21e568a7d9749da")
    }

    @Test(arguments: [
        "/../secret.js", "/draw/../../secret.js", "/%2e%2e/secret.js", "/..%2fsecret.js",
        "/%2E%2E%2Fsecret.js", "/draw/..%5c..%5csecret.js", "/./main.js", "/draw//map.js",
        "//main.js", "/main.js/", "/main.js%00", "/MAIN.JS", "/%6dain.js", "/draw", "/draw/",
        "/etc/passwd", "/.installed", "/none.js",
    ])
    func onlyExactPathsOfFilesAreServed(path: String) async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting { client in
            let answer = try await client.execute(uri: path, method: .get)
            #expect(answer.status == .notFound)
            #expect(try ReportedProblem(answer).code == "not_found")
            #expect(!String(buffer: answer.body).contains("secret()"))
        }
    }

    @Test func thePageMayOnlyRunItsOwnScripts() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting { client in
            for path in ["/", "/index.html"] {
                let answer = try await client.execute(uri: path, method: .get)
                let policy = try #require(answer.headers[.contentSecurityPolicy])
                #expect(policy.contains("default-src 'none'; script-src 'self'; style-src 'self'"))
                #expect(!policy.contains("unsafe") && !policy.contains("http"))
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
                #expect(answer.headers[.accessControlAllowOrigin] == nil)
                #expect(answer.headers[.known("Permissions-Policy")]?.contains("camera=()") == true)
            }
            // What a document is made of comes under the document's policy.
            let module = try await client.execute(uri: "/main.js", method: .get)
            #expect(module.headers[.xContentTypeOptions] == "nosniff")
            #expect(module.headers[.accessControlAllowOrigin] == nil)
            #expect(module.headers[.known("Cross-Origin-Resource-Policy")] == "same-origin")
            let answer = try await client.execute(uri: "/api/v1/bridges", method: .get)
            #expect(answer.headers[.accessControlAllowOrigin] == "*")
            #expect(answer.headers.count { $0.name == .contentSecurityPolicy } == 1)
        }
    }

    @Test func filesTakeOnlyGetAndHead() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting { client in
            for method in [HTTPRequest.Method.post, .put, .delete, .options] {
                let answer = try await client.execute(uri: "/main.js", method: method)
                #expect(answer.status == .methodNotAllowed)
                #expect(answer.headers[.allow] == "GET, HEAD")
            }
        }
    }

    @Test func withoutThePageTheAPIAnswers() async throws {
        try await asking { client in
            let answer = try await client.execute(uri: "/", method: .get)
            let problem = try ReportedProblem(answer)
            #expect(problem.status == 404 && problem.recovery.contains("--page"))
            let bridges = try await client.execute(uri: "/api/v1/bridges", method: .get)
            #expect(bridges.status == .ok)
        }
    }

    @Test func filesOfThePageHaveTheirOwnRateLimit() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        var settings = ServiceSettings()
        settings.requestBurst = 10
        settings.requestsPerSecond = 0.001
        try await page.visiting(settings) { client in
            for _ in 0..<60 {
                let answer = try await client.execute(uri: "/main.js", method: .get)
                #expect(answer.status == .ok)
            }
            for _ in 0..<10 {
                let answer = try await client.execute(uri: "/api/v1/bridges", method: .get)
                #expect(answer.status == .ok)
            }
            let refused = try await client.execute(uri: "/api/v1/bridges", method: .get)
            #expect(refused.status == .tooManyRequests)
            // The files have a limit too.
            for _ in 60..<120 { _ = try await client.execute(uri: "/main.js", method: .get) }
            let file = try await client.execute(uri: "/main.js", method: .get)
            #expect(file.status == .tooManyRequests)
        }
    }

    @Test(arguments: [
        ("/line/542", "../?view=line&line=542"),
        ("/run/1?date=2018-01-04", "../?view=run&run=1&date=2018-01-04"),
        ("/board/2/", "../../?view=board&stop=2"),
        ("/board/S%2F1%20s", "../?view=board&stop=S%2F1%20s"),
        ("/run/a+b&c=d", "../?view=run&run=a%2Bb%26c=d"),
        ("/line/%0d%0aX: y", "../?view=line&line=%0d%0aX: y"),
    ])
    func shortAddressesLeadToTheViews(_ example: (String, String)) async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try page.write("export const line = 1;\n", to: "line/motion.js")
        try await page.visiting { client in
            let answer = try await client.execute(uri: example.0, method: .get)
            #expect(answer.status == .found && answer.headers[.location] == example.1)
            // The page has a folder of that name, whose files come first.
            let file = try await client.execute(uri: "/line/motion.js", method: .get)
            #expect(file.status == .ok)
            for path in [
                "/line/", "/line/1/2", "/line//542", "/line/542//", "/lines/1",
                "/line/" + String(repeating: "x", count: 201),
            ] {
                let unknown = try await client.execute(uri: path, method: .get)
                #expect(unknown.status == .notFound, "\(path.prefix(20))")
            }
            let posted = try await client.execute(uri: "/line/542", method: .post)
            #expect(posted.status == .methodNotAllowed)
        }
    }

    @Test func allFilesOfThePageAreCountedAsOne() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting { client in
            for path in ["/", "/main.js", "/draw/map.js"] {
                _ = try await client.execute(uri: path, method: .get)
            }
            let text = String(
                buffer: try await client.execute(uri: "/metrics", method: .get).body)
            #expect(text.contains("method=\"GET\",path=\"page\",status=\"200\"} 3"))
        }
    }
}

struct PageFixture {
    /// The page's folder, in a folder that contains nothing else but `secret.js`.
    let folder: URL
    private let outside: URL

    static let index = """
        <!doctype html>
        <html lang="en"><head><!-- modules --><!-- preload --><script type="module" src="main.js"></script><!-- /modules --></head>
        <body><div id="page"><!-- bridges --></div></body></html>
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

    /// Writes a bundle of the page's current files; its digest.
    @discardableResult func writeBundle(chunk: String = "A") throws -> String {
        let sources = try ["draw/map.js", "index.html", "main.js"].map { path in
            (path, ByteBuffer(bytes: try Data(contentsOf: folder.appendingPathComponent(path))))
        }
        let digest = PageBundle.digest(of: Dictionary(uniqueKeysWithValues: sources))
        let path = "vendor/bundle-chunk-\(chunk).js"
        try write("draw();", to: path)
        try write("main{}", to: PageBundle.stylesPath)
        try write("// bridgecast \(digest) \(path)\ndraw();", to: PageBundle.scriptPath)
        return digest
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
        _ body: @Sendable (ServiceClient) async throws -> Void
    ) async throws {
        let cache = try PageCache(folder, pauseSeconds: 0)
        var parts = try ServiceFixture.parts()
        parts.page = cache
        let state = ServiceState(parts, settings)
        if hasBoard { state.show(try await ServiceFixture.board(readSecondsAgo: 0, .ready)) }
        try await body(ServiceClient(ServiceResponder(state, try ProxyTrust(settings))))
    }
}
