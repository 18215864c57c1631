// Answers of widgets over HTTP: what is shared for how long, and the pictures of what is wrong.
import BridgecastCore
import BridgecastLive
import BridgecastTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct WidgetAnswerTests {
    private static let line = "/widget/15/S%2F1%20s%C3%BCd"

    private static func state(_ clock: any WallClock) async throws -> ServiceState {
        var parts = try ServiceFixture.parts()
        parts.transit = try TransitFixture.parts()
        parts.live.clock = clock
        let state = ServiceState(parts, ServiceSettings())
        state.show(try await ServiceFixture.state().snapshot())
        await state.transit?.refresh()
        return state
    }

    @Test func aPictureIsOfTheEndOfItsPeriod() {
        for (now, end) in [(-10, 0), (-9, 0), (-1, 0), (0, 10), (1, 10), (9, 10), (10, 20)] {
            let period = WidgetPeriod(at: TransitFixture.evening.adding(seconds: Int64(now)))
            #expect(period.end == TransitFixture.evening.adding(seconds: Int64(end)), "\(now)")
            #expect(period.start == period.end.adding(seconds: -10))
        }
    }

    /// The document says when it was made.
    @Test func oneAnswerIsForAllThatAskForTheSameUntilItsPeriodEnds() async throws {
        let clock = JumpingClock(TransitFixture.evening)
        try await TransitFixture.asking(try await Self.state(clock)) { client in
            func made(_ query: String) async throws -> (made: String?, age: String?) {
                let reply = try await client.execute(uri: Self.line + query, method: .get)
                let html = String(buffer: reply.body)
                return (
                    html.firstMatch(of: /data-made="(\d+)"/).map { String($0.1) },
                    reply.headers[.cacheControl]
                )
            }
            let first = try await made("?size=medium&theme=dark&t=1")
            #expect(first.made == "\(clock.now.secondsSinceEpoch)")
            // The second that has begun may be almost over.
            #expect(first.age == "public, max-age=9")
            try await clock.sleep(seconds: 3)
            let same = try await made("?theme=dark&t=2&size=medium")
            #expect(same.made == first.made && same.age == "public, max-age=6")
            let other = try await made("?theme=light&size=medium")
            #expect(other.made == "\(clock.now.secondsSinceEpoch)")
            try await clock.sleep(seconds: 6)
            let last = try await made("?size=medium&theme=dark")
            #expect(last.made == first.made && last.age == "public, max-age=0")
            try await clock.sleep(seconds: 1)
            let next = try await made("?size=medium&theme=dark")
            #expect(next.made == "\(clock.now.secondsSinceEpoch)")
            #expect(next.age == "public, max-age=9")
        }
    }

    /// Ten seconds of a replay that runs twice as fast are five.
    @Test func cachesGoByRealTime() async throws {
        let clock = FastClock(now: TransitFixture.evening)
        try await TransitFixture.asking(try await Self.state(clock)) { client in
            let reply = try await client.execute(uri: Self.line + ".svg", method: .get)
            #expect(reply.headers[.cacheControl] == "public, max-age=4")
        }
    }

    /// A clock that is stopped, and says that it runs twice as fast.
    private struct FastClock: WallClock {
        let now: Timestamp
        let monotonicSeconds = 0.0
        let pace = ClockPace(rate: 2)

        func sleep(seconds: Double) async throws { try await Task.sleep(for: .seconds(seconds)) }
    }

    /// Only the document says when it asks again.
    @Test func picturesOfOtherRefreshesAreOne() async throws {
        let clock = JumpingClock(TransitFixture.evening)
        try await TransitFixture.asking(try await Self.state(clock)) { client in
            for (form, isShared) in [(".svg", true), ("", false)] {
                let one = try await client.execute(
                    uri: Self.line + form + "?refresh=20", method: .get)
                let other = try await client.execute(
                    uri: Self.line + form + "?refresh=50", method: .get)
                #expect((one.headers[.eTag] == other.headers[.eTag]) == isShared)
            }
        }
    }

    /// A wrong interval is refused whether or not the picture is kept, and the problem of no other request.
    @Test func aWrongRefreshIsRefusedAloneInEveryOrder() async throws {
        for order in [["?refresh=5", "", "?refresh=5"], ["", "?refresh=5", ""]] {
            let clock = JumpingClock(TransitFixture.evening)
            try await TransitFixture.asking(try await Self.state(clock)) { client in
                for form in [".svg", ".png", ""] {
                    for query in order {
                        let reply = try await client.execute(
                            uri: Self.line + form + query, method: .get)
                        #expect(reply.status == (query.isEmpty ? .ok : .badRequest))
                    }
                }
            }
        }
    }

    @Test func countdownsAreThoseOfTheEnd() async throws {
        let clock = JumpingClock(TransitFixture.evening.adding(seconds: 3))
        try await TransitFixture.asking(try await Self.state(clock)) { client in
            let reply = try await client.execute(uri: Self.line + ".svg", method: .get)
            // A minute at 18:02:00, and 50 s at the end.
            #expect(DrawnTexts.of(String(buffer: reply.body))?.contains("0:50") == true)
        }
    }

    @Test func aPictureIsKnownByItsTagAndAnErrorIsNot() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            for (uri, status) in [
                (Self.line + ".png", HTTPResponse.Status.notModified),
                ("/widget/15/N9.png", .notFound),
            ] {
                let first = try await client.execute(uri: uri, method: .get)
                let tag = try #require(first.headers[.eTag])
                let again = try await client.execute(
                    uri: uri, method: .get, headers: [.ifNoneMatch: tag])
                #expect(again.status == status)
            }
        }
    }

    @Test func anUnknownStopIsAPictureOfTheProblem() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            for uri in [
                "/widget/15/N9.svg", "/widget/16/N1.svg", "/widget/board/N9.svg?size=round",
            ] {
                let reply = try await client.execute(uri: uri, method: .get)
                let texts = try #require(DrawnTexts.of(String(buffer: reply.body)))
                #expect(reply.status == .notFound)
                #expect(texts.contains { $0.contains("there is no") }, "\(texts)")
            }
        }
    }

    /// Where a frame or a picture is, JSON would not be seen; and other colours than those asked for would blind.
    @Test(arguments: [
        ("rows=4", "rows: '4' cannot be used", "rows"), ("x=1", "there is no parameter 'x'", "x"),
        ("rows=1&rows=2", "rows: is given more than once", "rows"),
        ("direction=", "direction: is empty", "direction"),
    ])
    func aWrongQueryIsAPictureInTheColoursAndLanguageAskedFor(
        query: String, problem: String, parameter: String
    ) async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            for form in ["", ".svg", ".png"] {
                let reply = try await client.execute(
                    uri: Self.line + form + "?" + query, method: .get)
                #expect(reply.status == .badRequest)
                #expect(reply.headers[.contentType]?.contains("json") == false)
            }
            let english = try await client.execute(uri: Self.line + ".svg?" + query, method: .get)
            let texts = try #require(DrawnTexts.of(String(buffer: english.body)))
            #expect(texts.joined(separator: " ").contains(problem), "\(texts)")
            #expect(
                String(buffer: english.body).contains(
                    ". Make the address again: /?view=widget</title>"))
            let uri = Self.line + ".svg?\(query)&theme=dark&lang=es&size=round"
            let source = String(buffer: try await client.execute(uri: uri, method: .get).body)
            #expect(source.contains(".card{fill:#243342") && !source.contains(".card{fill:#FFFCF5"))
            #expect(source.contains("width=\"120\"") && source.contains("lang=\"es\""))
            #expect(source.contains("El parámetro «\(parameter)» no es válido"))
            #expect(source.contains(". Cree la dirección de nuevo: /?view=widget</title>"))
        }
    }

    @Test func withoutAPageAWidgetIsLoadedAgainAndLeadsNowhere() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let reply = try await client.execute(uri: Self.line + "?refresh=60", method: .get)
            let html = String(buffer: reply.body)
            #expect(html.contains("<meta http-equiv=\"refresh\" content=\"60\">"))
            #expect(
                !html.contains("noscript") && !html.contains("<a ") && !html.contains("<script"))
            #expect(reply.headers[.contentSecurityPolicy]?.contains("script-src") == false)
        }
    }
}
