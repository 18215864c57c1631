import BridgecastTestSupport
import Dispatch
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct PageCacheTests {
    private func paths(_ page: PageFixture) throws -> [String] {
        try PageFolder.files(in: page.folder).keys.sorted()
    }

    private let usual = ["draw/map.js", "index.html", "main.js", "text/es.json"]

    @Test func onlyRegularFilesOfAPageAreFound() throws {
        let page = try PageFixture()
        defer { page.remove() }
        try page.write("secret", to: ".git/config.json")
        try page.write("secret", to: ".env.js")
        try page.write("types", to: "core/types.d.ts")
        try page.write("no end", to: "LICENSE")
        #expect(try paths(page) == usual)
    }

    @Test func linksAreNotFollowed() throws {
        let page = try PageFixture()
        defer { page.remove() }
        let files = FileManager.default
        let outside = page.folder.deletingLastPathComponent()
        try files.createSymbolicLink(
            at: page.folder.appendingPathComponent("link.js"),
            withDestinationURL: outside.appendingPathComponent("secret.js"))
        try files.createSymbolicLink(
            at: page.folder.appendingPathComponent("more"), withDestinationURL: outside)
        #expect(try paths(page) == usual)
        // The folder itself may be one: a release is often put in place by turning a link.
        let turned = outside.appendingPathComponent("turned")
        try files.createSymbolicLink(at: turned, withDestinationURL: page.folder)
        #expect(try PageCache(turned).fileCount == usual.count)
    }

    @Test func aFileReplacedByALinkIsNotServed() throws {
        let page = try PageFixture()
        defer { page.remove() }
        let cache = try PageCache(page.folder, pauseSeconds: 0)
        #expect(cache.file("main.js") != nil)
        let main = page.folder.appendingPathComponent("main.js")
        try FileManager.default.removeItem(at: main)
        try FileManager.default.createSymbolicLink(
            at: main,
            withDestinationURL: page.folder.deletingLastPathComponent()
                .appendingPathComponent("secret.js"))
        #expect(cache.file("main.js") == nil)
    }

    @Test func aRequestWithAnOlderClockThanTheLastCheckIsAnswered() throws {
        let page = try PageFixture()
        defer { page.remove() }
        let cache = try PageCache(page.folder, pauseSeconds: 0)
        let now = DispatchTime.now().uptimeNanoseconds
        for path in ["main.js", "index.html"] {
            #expect(cache.file(path, at: now + 1_000) != nil)
            #expect(cache.file(path, at: now) != nil)
        }
        #expect(cache.file("none.js", at: now + 1_000) == nil)
        #expect(cache.file("none.js", at: now) == nil)
    }

    @Test func aFolderThatReappearsIsServedAgain() throws {
        let page = try PageFixture()
        defer { page.remove() }
        let cache = try PageCache(page.folder, pauseSeconds: 0)
        let aside = page.folder.deletingLastPathComponent().appendingPathComponent("aside")
        try FileManager.default.moveItem(at: page.folder, to: aside)
        for path in ["index.html", "main.js"] { #expect(cache.file(path) == nil) }
        try FileManager.default.moveItem(at: aside, to: page.folder)
        for path in ["index.html", "main.js"] { #expect(cache.file(path) != nil) }
    }

    @Test func largeFilesAreNotServed() throws {
        let page = try PageFixture()
        defer { page.remove() }
        let most = Int(PageFile.maxBytes)
        try page.write(String(repeating: "a", count: most), to: "most.js")
        try page.write(String(repeating: "a", count: most + 1), to: "large.js")
        let cache = try PageCache(page.folder, pauseSeconds: 0)
        #expect(cache.file("most.js")?.document.identity.readableBytes == most)
        #expect(cache.file("large.js") == nil && cache.fileCount == usual.count + 1)
        try page.write(String(repeating: "a", count: most + 1), to: "main.js")
        #expect(cache.file("main.js") == nil)
    }

    @Test func theAPIHasPrecedenceOverFiles() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        let paths = ["/openapi.json", "/api/v1/days/2026.json"]
        for path in paths { try page.write("{\"mine\": 1}", to: String(path.dropFirst())) }
        try await page.visiting { client in
            for path in paths {
                let answer = try await client.execute(uri: path, method: .get)
                #expect(!String(buffer: answer.body).contains("mine"), "\(path)")
                let refused = try await client.execute(uri: path, method: .delete)
                #expect(try ReportedProblem(refused).code == "method_not_allowed")
            }
        }
    }

    @Test func aFolderWithoutIndexIsRefused() throws {
        let page = try PageFixture()
        defer { page.remove() }
        try FileManager.default.removeItem(at: page.folder.appendingPathComponent("index.html"))
        #expect(throws: PageProblem.noIndex(page.folder.path)) { try PageCache(page.folder) }
        page.remove()
        #expect(throws: PageProblem.noIndex(page.folder.path)) { try PageCache(page.folder) }
    }

    @Test func aFolderWithTooManyFilesIsRefused() throws {
        let page = try PageFixture()
        defer { page.remove() }
        for number in 0...PageFolder.maxFiles { try page.write("", to: "many/\(number).js") }
        #expect(throws: PageProblem.tooMuch(page.folder.path, maxFiles: PageFolder.maxFiles)) {
            try PageCache(page.folder)
        }
    }

    @Test func modulesAreListedOnceInOrderOfDiscovery() {
        let texts = [
            "main.js": """
            // import { no } from "./comment.js";
            import { html } from "./vendor/preact.js";
            import {
                one,
                two,
            } from './core/one.js';
            import "./core/two.js";
            const later = () => import("./views/trip.js");
            import { fs } from "node:fs";
            """,
            "core/one.js": "export { two } from \"./two.js\";\nimport x from \"../../secret.js\";",
            "core/two.js":
                "import { one } from \"./one.js\";\nimport { html } from \"../vendor/preact.js\";",
            "vendor/preact.js": "", "comment.js": "", "views/trip.js": "", "secret.js": "",
        ]
        #expect(
            PageImports.modules(from: "main.js") { texts[$0] }
                == ["vendor/preact.js", "core/one.js", "core/two.js"])
    }
}
