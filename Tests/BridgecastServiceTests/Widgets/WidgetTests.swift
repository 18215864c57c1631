// Widgets over HTTP: what each size shows, for how long, in which language, and what is wrong.
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import FoundationXML
import HTTPTypes
import NIOCore
import Testing

@testable import BridgecastService

private let southLine = "/widget/15/S%2F1%20s%C3%BCd"

@Suite struct WidgetTests {
    /// A picture in SVG with its texts.
    private struct Drawing {
        let reply: ServiceReply
        let source: String
        let texts: [String]

        init(_ reply: ServiceReply) throws {
            self.reply = reply
            source = String(buffer: reply.body)
            texts = try #require(DrawnTexts.of(source), "not well-formed: \(source)")
        }
    }

    private static func drawing(_ uri: String, _ client: ServiceClient) async throws -> Drawing {
        try Drawing(try await client.execute(uri: uri, method: .get))
    }

    @Test func theSmallOneHasTheNextCountdownAndHowSureItIs() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let drawing = try await Self.drawing(southLine + ".svg", client)
            // The bus of 18:00 is three minutes late, and its vehicle was seen.
            #expect(
                drawing.texts.prefix(6) == [
                    "15", "next bus", "Interbay", "1:00", "to Ballard", "HIGH · 6:03\u{A0}PM",
                ])
            let due = TransitFixture.evening.adding(seconds: 60).secondsSinceEpoch
            #expect(drawing.source.contains("data-at=\"\(due)\""))
            // Its next stop is beyond the bridge, which is up.
            let beyond = try await Self.drawing("/widget/15/N1.svg", client)
            #expect(
                beyond.texts.contains {
                    $0.hasPrefix("Ballard +") || $0 == "Waiting at Ballard"
                }, "\(beyond.texts)")
            #expect(beyond.texts.contains("ends here"))
            let board = try await Self.drawing("/widget/15/N1.svg?size=medium", client)
            #expect(
                board.texts.contains {
                    $0.hasPrefix("Ballard Bridge: +") || $0 == "Waiting at Ballard Bridge"
                }, "\(board.texts)")
        }
    }

    @Test func theMediumOneHasThreeAndTheRoundOneOneOfTheSameForm() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let medium = try await Self.drawing(southLine + ".svg?size=medium", client)
            let countdowns = ["1:00", "6:00", "8:00"]
            #expect(medium.texts.filter { $0.contains(/^\d+:\d\d$/) } == countdowns)
            #expect(medium.texts.contains { $0.hasPrefix("on time · 6:03") })
            let round = try await Self.drawing(southLine + ".svg?size=round", client)
            #expect(round.texts == ["15", "1:00", "6:03\u{A0}PM"])
            let few = try await Self.drawing(southLine + ".svg?size=medium&rows=1", client)
            #expect(few.texts.filter { $0.contains(/^\d+:\d\d$/) } == ["1:00"])
        }
    }

    @Test func theLargeOneShowsTheLineWithItsStopsBridgeAndBus() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let large = try await Self.drawing(southLine + ".svg?size=large", client).source
            let medium = try await Self.drawing(southLine + ".svg?size=medium", client).source
            #expect(large.contains("class=\"way\"") && !medium.contains("class=\"way\""))
            #expect(large.components(separatedBy: "<circle").count > 5)
            // Ballard Bridge is up.
            #expect(large.contains("class=\"raised\"") && !large.contains("class=\"bridge\""))
            #expect(large.contains("rotate("), "The bus lies along its way")
        }
    }

    @Test func aBoardWithOneDirectionHasItsRowsAlone() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let board = try await Self.drawing("/widget/board/ballard.svg?rows=2", client)
            #expect(board.texts.first == "Ballard")
            #expect(board.texts.filter { $0 == "15" }.count == 2, "\(board.texts)")
            #expect(board.texts.contains("8:00") && board.texts.contains("scheduled"))
            #expect(!board.texts.contains { $0.hasPrefix("Towards") })
            let compact = try await Self.drawing(
                "/widget/board/ballard.svg?rows=2&compact=true", client)
            #expect(compact.texts.contains("8:00") && !compact.texts.contains("scheduled"))
        }
    }

    /// Buses to Redmond and to Issaquah leave from this stop on a winter day of 2018.
    @Test func aBoardHasAColumnForEachDirection() async throws {
        var parts = try ServiceFixture.parts()
        parts.transit = TransitParts(
            try TransitFeed(contentsOf: Fixtures.model("transit/sound-transit-montlake.zip")))
        let state = ServiceState(parts, ServiceSettings())
        let path = "/widget/board/{stop}.svg"
        let endpoint = try #require(WidgetEndpoints.all.first { $0.path == path })
        func texts(_ query: String) async throws -> [String] {
            let request = ServiceRequest(
                query: try Query(query[...], known: WidgetOptions.parameters), path: ["25243"],
                form: .svg, lastEventID: nil, body: ByteBuffer(),
                now: Fixtures.timestamp("2018-01-04T15:00"), state: state)
            guard case .bytes(let bytes) = try await endpoint.answer(request).content else {
                throw DrawnTexts.Missing()
            }
            return try #require(DrawnTexts.of(String(decoding: bytes, as: UTF8.self)))
        }
        let both = try await texts("rows=2")
        #expect(both.filter { $0.hasPrefix("Towards") } == ["Towards Redmond", "Towards Issaquah"])
        #expect(both.filter { $0.contains(/^\d+:\d\d$/) }.count == 4, "\(both)")
        let one = try await texts("rows=2&direction=1&size=large")
        #expect(one.filter { $0.contains(/^\d+:\d\d$/) }.count == 2, "\(one)")
        #expect(one.contains { $0.hasSuffix("· Express") })
    }

    @Test func whereNothingComesThereIsADash() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            for address in ["/widget/ferry/N1", "/widget/board/lost"] {
                for size in ["small", "medium", "large", "round"] {
                    let drawing = try await Self.drawing("\(address).svg?size=\(size)", client)
                    #expect(
                        drawing.reply.status == .ok && drawing.texts.contains("—"), "\(address)")
                }
            }
            let words = try await Self.drawing("/widget/ferry/N1.svg?lang=es", client)
            #expect(words.texts.contains("Nada en 2 horas"))
        }
    }

    @Test func oldDataIsShownAsOld() async throws {
        let old = TransitFixture.evening.adding(seconds: -840)
        let trip = SmallTransit.trip(at: "18:00")
        let sources = [
            SpokenFeed(
                "trip_updates", SmallTransit.tripUpdates(of: trip, delaySeconds: 180, at: old))
        ]
        try await TransitFixture.asking(try await TransitFixture.state(sources)) { client in
            for uri in [southLine + ".svg", southLine + ".svg?size=round", "/widget/board/N1.svg"] {
                let drawing = try await Self.drawing(uri, client)
                #expect(
                    drawing.texts.contains { $0.hasPrefix("Data is 14 min") }, "\(drawing.texts)")
            }
        }
        let dead = try await TransitFixture.state([SpokenFeed("trip_updates", nil)])
        try await TransitFixture.asking(dead) { client in
            let drawing = try await Self.drawing(southLine + ".svg?size=medium", client)
            #expect(drawing.texts.contains("Timetable only: no live data"))
        }
    }

    @Test func anUnknownStopIsAPictureOfTheProblem() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            for uri in [
                "/widget/15/N9.svg", "/widget/16/N1.svg", "/widget/board/N9.svg?size=round",
            ] {
                let drawing = try await Self.drawing(uri, client)
                #expect(drawing.reply.status == .notFound)
                #expect(drawing.texts.contains { $0.contains("there is no") }, "\(drawing.texts)")
            }
            for uri in [
                southLine + ".svg?rows=4", southLine + "?size=huge", southLine + ".png?x=1",
            ] {
                let reply = try await client.execute(uri: uri, method: .get)
                #expect(reply.status == .badRequest, "\(uri)")
            }
            // Where a frame or a picture was, JSON would not be seen.
            let wrong = try await Self.drawing(southLine + ".svg?rows=4", client)
            #expect(wrong.texts.joined(separator: " ").contains("a whole number from 1 to 3"))
            let fresh = try await Self.drawing(southLine + ".svg?t=1799999999", client)
            #expect(fresh.reply.status == .ok)
        }
    }

    @Test func aPictureIsOfTheEndOfItsPeriodAndMayBeKeptUntilThen() async throws {
        let state = try await TransitFixture.state()
        for (now, end) in [(-10, -10), (-9, 0), (-1, 0), (0, 0), (1, 10)] {
            let period = WidgetPeriod(at: TransitFixture.evening.adding(seconds: Int64(now)))
            #expect(period.end == TransitFixture.evening.adding(seconds: Int64(end)))
            #expect(period.start == period.end.adding(seconds: -10))
        }
        let endpoint = try #require(
            WidgetEndpoints.all.first { $0.path == "/widget/{line}/{stop}.svg" })
        let request = ServiceRequest(
            query: Query(), path: ["15", SmallTransit.south], form: .svg, lastEventID: nil,
            body: ByteBuffer(), now: TransitFixture.evening.adding(seconds: 3), state: state)
        let answer = try await endpoint.answer(request)
        #expect(answer.keeping == .until(TransitFixture.evening.adding(seconds: 10)))
        guard case .bytes(let bytes) = answer.content else { throw DrawnTexts.Missing() }
        let texts = DrawnTexts.of(String(decoding: bytes, as: UTF8.self)) ?? []
        // A minute at 18:02:00, and 50 s at the end.
        #expect(texts.contains("0:50"), "\(texts)")
    }

    @Test func whatIsMadeIsSharedAndKnownByItsTag() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let first = try await client.execute(uri: southLine + ".png", method: .get)
            let second = try await client.execute(uri: southLine + ".png", method: .get)
            #expect(first.body == second.body && first.headers[.eTag] == second.headers[.eTag])
            #expect(first.headers[.cacheControl]?.hasPrefix("public, max-age=") == true)
            let known = try await client.execute(
                uri: southLine + ".png", method: .get,
                headers: [.ifNoneMatch: first.headers[.eTag] ?? ""])
            #expect(known.status == .notModified)
        }
    }

    @Test func namesFromAFeedAreTextAndNothingElse() async throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = "<script>alert(1)</script> & \u{1}\u{202E}\"N'"
        try SmallTransit.write(
            SmallTransit.stops(named: "\"\(name.replacing("\"", with: "\"\""))\""), "stops.txt",
            in: folder)
        let state = try await TransitFixture.state(folder: folder)
        try await TransitFixture.asking(state) { client in
            for uri in Self.everyForm(of: "/widget/15/N1")
                + Self.everyForm(of: "/widget/board/ballard")
            {
                let source = String(
                    buffer: try await client.execute(uri: uri, method: .get).body)
                #expect(DrawnTexts.of(source) != nil, "\(uri): \(source)")
                #expect(!source.contains("<script>alert") && !source.contains("\u{1}"))
            }
        }
    }

    private static func everyForm(of address: String) -> [String] {
        var uris: [String] = []
        for size in WidgetSize.allCases {
            for theme in WidgetTheme.allCases {
                for (rows, rest) in [(size.rows.upperBound, "&compact=true"), (1, "&lang=es")] {
                    uris.append(
                        "\(address).svg?size=\(size.rawValue)&theme=\(theme.rawValue)&rows=\(rows)\(rest)"
                    )
                }
            }
        }
        return uris
    }
}

/// The texts of a picture, in order.
enum DrawnTexts {
    struct Missing: Error {}

    /// Nil if it is not well-formed XML.
    static func of(_ source: String) -> [String]? {
        let reader = Reader()
        let parser = XMLParser(data: Data(source.utf8))
        parser.delegate = reader
        return parser.parse() ? reader.texts : nil
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var texts: [String] = []
        private var isText = false

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            isText = name == "text" || name == "tspan"
            if name == "text" { texts.append("") }
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
            qualifiedName: String?
        ) { isText = name == "tspan" }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if isText { texts[texts.count - 1] += string }
        }
    }
}
