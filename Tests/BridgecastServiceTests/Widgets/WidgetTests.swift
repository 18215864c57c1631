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
                    "15", "next bus", "Interbay", "0:50", "to Ballard", "HIGH · 6:03\u{A0}PM",
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
            let countdowns = ["0:50", "5:50", "7:50"]
            #expect(medium.texts.filter { $0.contains(/^\d+:\d\d$/) } == countdowns)
            #expect(medium.texts.contains { $0.hasPrefix("on time · 6:03") })
            let round = try await Self.drawing(southLine + ".svg?size=round", client)
            #expect(round.texts == ["15", "0:50", "6:03\u{A0}PM"])
            let few = try await Self.drawing(southLine + ".svg?size=medium&rows=1", client)
            #expect(few.texts.filter { $0.contains(/^\d+:\d\d$/) } == ["0:50"])
        }
    }

    @Test func theLargeOneShowsTheLineWithItsStopsBridgeAndBus() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let large = try await Self.drawing(southLine + ".svg?size=large", client).source
            let medium = try await Self.drawing(southLine + ".svg?size=medium", client).source
            #expect(large.contains("class=\"way\"") && !medium.contains("class=\"way\""))
            #expect(large.components(separatedBy: "<circle").count >= 4)
            // Ballard Bridge is up.
            #expect(large.contains("class=\"raised\"") && !large.contains("class=\"bridge\""))
            let bus = try #require(
                large.firstMatch(
                    of: /<g transform="translate\(([^ ]+) ([^)]+)\) rotate\(([^)]+)\)"><rect/))
            // It is at the stop that the widget is of, and lies along the way, which leads to the right.
            let stop = try #require(
                large.firstMatch(of: /<circle cx="([^"]+)" cy="([^"]+)" r="6" class="badge"/))
            let distance = hypot(
                (Double(bus.1) ?? .nan) - (Double(stop.1) ?? .nan),
                (Double(bus.2) ?? .nan) - (Double(stop.2) ?? .nan))
            #expect(distance < 10 && abs(Double(bus.3) ?? .nan) < 30, "\(bus.0) \(stop.0)")
            let compact = try await Self.drawing(
                southLine + ".svg?size=large&compact=true", client)
            #expect(!compact.source.contains("class=\"way\""))
        }
        let unseen = try await TransitFixture.state([TransitFixture.updates])
        try await TransitFixture.asking(unseen) { client in
            let large = try await Self.drawing(southLine + ".svg?size=large", client).source
            #expect(large.contains("class=\"way\"") && !large.contains("class=\"vehicle\""))
        }
    }

    @Test func aBoardWithOneDirectionHasItsRowsAlone() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let board = try await Self.drawing("/widget/board/ballard.svg?rows=2", client)
            #expect(board.texts.first == "Ballard")
            #expect(board.texts.filter { $0 == "15" }.count == 2, "\(board.texts)")
            #expect(board.texts.contains("7:50") && board.texts.contains("scheduled"))
            #expect(!board.texts.contains { $0.hasPrefix("Towards") })
            let compact = try await Self.drawing(
                "/widget/board/ballard.svg?rows=2&compact=true", client)
            #expect(compact.texts.contains("7:50") && !compact.texts.contains("scheduled"))
        }
    }

    /// Line, countdown and destination stay in every size.
    @Test(arguments: WidgetSize.allCases)
    func aCompactOneHasNoTextOfConfidenceLatenessOrBridge(size: WidgetSize) async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            for (address, destination) in [(southLine, "Ballard"), ("/widget/15/N1", "ends here")] {
                let query = ".svg?size=\(size.rawValue)"
                let full = try await Self.drawing(address + query, client).texts
                let compact = try await Self.drawing(address + query + "&compact=true", client)
                    .texts
                #expect(compact.contains("15") && compact.contains { $0.contains(/^\d+:\d\d$/) })
                #expect(size == .round || compact.contains { $0.hasSuffix(destination) })
                let left = compact.joined(separator: "|")
                for text in ["HIGH", "LOW", "late", "on time", "Ballard +", "Ballard Bridge"] {
                    #expect(!left.contains(text), "\(size) \(left)")
                }
                #expect(size == .round || full.count > compact.count)
            }
        }
    }

    /// The levels differ without their colours.
    @Test func confidenceHasAFormOfItsOwn() {
        let forms = Set(
            [DepartureConfidence.high, .medium, .low, .none].map { confidence in
                var canvas = SVGCanvas()
                canvas.confidence(confidence, x: 10, y: 10, radius: 4)
                return canvas.body.replacing(/class="[a-z]+"/, with: "")
            })
        #expect(forms.count == 4)
    }

    @Test func whatIsReadOutIsAllThatIsShown() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let line = try await Self.drawing("/widget/15/N1.svg?size=medium", client)
            let title = try #require(
                line.source.firstMatch(of: /<svg[^>]*><title>(.*?)<\/title>/)?.1)
            #expect(title.hasPrefix("15 at Ballard 1: in "), "\(title)")
            #expect(title.contains("ends here, "), "\(title)")
            #expect(title.contains("Ballard Bridge"), "\(title)")
            let board = try await Self.drawing("/widget/board/ballard.svg", client)
            #expect(board.source.contains("<title>Ballard: 15 in "))
        }
        let dead = try await TransitFixture.state([SpokenFeed("trip_updates", nil)])
        try await TransitFixture.asking(dead) { client in
            let drawing = try await Self.drawing(southLine + ".svg", client)
            #expect(drawing.source.contains("Timetable only: no live data</title>"))
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
        func source(_ query: String, at time: String = "2018-01-04T15:00") async throws -> String {
            let request = ServiceRequest(
                query: try Query(query[...], known: WidgetOptions.parameters), path: ["25243"],
                form: .svg, lastEventID: nil, body: ByteBuffer(), now: Fixtures.timestamp(time),
                state: state)
            guard case .bytes(let bytes) = try await endpoint.answer(request).content else {
                throw DrawnTexts.Missing()
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        func texts(_ query: String) async throws -> [String] {
            try #require(DrawnTexts.of(try await source(query)))
        }
        let both = try await texts("rows=2")
        #expect(both.filter { $0.hasPrefix("Towards") } == ["Towards Redmond", "Towards Issaquah"])
        #expect(both.filter { $0.contains(/^\d+:\d\d$/) }.count == 4, "\(both)")
        let one = try await texts("rows=2&direction=1&size=large")
        #expect(one.filter { $0.contains(/^\d+:\d\d$/) }.count == 2, "\(one)")
        #expect(one.contains { $0.hasSuffix("· Express") })
        // A frame that was copied fits at night too, when nothing departs.
        let size = /width="\d+" height="\d+"/
        for query in ["size=medium", "size=large", "size=large&direction=1", "size=large&rows=1"] {
            let day = try #require(try await source(query).firstMatch(of: size)?.0)
            let night = try await source(query, at: "2018-01-04T02:30")
            #expect(night.contains("Nothing within 2 hours"))
            #expect(night.firstMatch(of: size)?.0 == day, "\(query)")
        }
    }

    /// As on the page.
    @Test func compassNamesStayAsTheyAre() {
        let texts = WidgetTexts.of(.english)
        #expect(texts.towards("Northbound") == "Northbound" && texts.towards("in") == "in")
        #expect(texts.towards("North Bend") == "Towards North Bend")
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

    @Test func namesFromAFeedAreTextAndNothingElse() async throws {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = "<script>alert(1)</script> & \u{1}\u{202E}\"N'"
        try SmallTransit.write(
            SmallTransit.stops(named: name), "stops.txt",
            in: folder)
        for (file, good, bad) in [
            ("trips.txt", ",Ballard,", ",<b>Ballard</b>\u{202E},"),
            ("routes.txt", ",15,", ",<b>15\u{202E}</b>,"),
        ] {
            let text = try #require(SmallTransit.files[file])
            try SmallTransit.write(text.replacing(good, with: bad), file, in: folder)
        }
        let state = try await TransitFixture.state(folder: folder)
        let line = "/widget/15%2F%C3%84/N1"
        try await TransitFixture.asking(state) { client in
            for uri in Self.everyForm(of: line)
                + Self.everyForm(of: "/widget/board/ballard")
            {
                let source = String(
                    buffer: try await client.execute(uri: uri, method: .get).body)
                let texts = try #require(DrawnTexts.of(source), "\(uri): \(source)")
                #expect(!texts.contains("⚠"), "\(texts)")
                Self.expectNoMarkup(in: source, uri)
            }
            for uri in [line, "/widget/board/ballard"] {
                let reply = try await client.execute(uri: uri, method: .get)
                let source = String(buffer: reply.body)
                #expect(source.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; "))
                Self.expectNoMarkup(in: source, uri)
            }
        }
    }

    private static func expectNoMarkup(in source: String, _ uri: String) {
        for part in ["<script>alert", "<b>", "\u{1}", "\u{202E}"] {
            #expect(!source.contains(part), "\(uri): \(source)")
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
