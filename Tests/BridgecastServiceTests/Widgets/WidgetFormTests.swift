// The forms of a widget: a document that any page may frame, a picture in PNG; and colours and widths of its texts.
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import BridgecastTransit
import CZlib
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct WidgetFormTests {
    @Test func anyPageMayFrameTheDocumentAndOnlyItsOwnScriptRuns() async throws {
        var parts = try ServiceFixture.parts()
        parts.transit = try TransitFixture.parts()
        parts.page = try PageCache(
            Fixtures.checkout.appendingPathComponent("Sources/BridgecastService/Resources/page"))
        let state = ServiceState(parts, ServiceSettings())
        await state.transit?.refresh()
        try await TransitFixture.asking(state) { client in
            let reply = try await client.execute(
                uri: "/widget/15/N1?theme=dark&refresh=60", method: .get)
            let html = String(buffer: reply.body)
            let policy = try #require(reply.headers[.contentSecurityPolicy])
            #expect(reply.headers[values: .contentSecurityPolicy].count == 1)
            #expect(policy.contains("default-src 'none'") && !policy.contains("frame-ancestors"))
            #expect(!policy.contains("unsafe") && reply.headers[.init("X-Frame-Options")!] == nil)
            let scripts = Self.contents(of: "script", in: html)
            #expect(scripts.count == 1)
            let styles = Self.contents(of: "style", in: html)
            for (name, texts) in [("script-src", scripts), ("style-src", styles)] {
                let directive = try #require(
                    policy.split(separator: ";").first { $0.contains(name) })
                #expect(directive.split(separator: " ").count == texts.count + 1)
                for text in texts {
                    let digest = Data(SHA256.hash(Array(text.utf8))).base64EncodedString()
                    #expect(directive.contains("'sha256-\(digest)'"), "\(name)")
                }
            }
            #expect(html.contains("data-refresh=\"60\""))
            // Screen readers speak of what changes in a region that they have seen.
            #expect(html.contains("<p id=\"age\" role=\"status\"></p>"))
            #expect(html.contains("href=\"../../line/15?stop=N1\""))
            #expect(
                html.contains("<noscript><meta http-equiv=\"refresh\" content=\"60\"></noscript>"))
            let spanish = try await client.execute(
                uri: "/widget/15/N1?lang=es", method: .get)
            #expect(
                String(buffer: spanish.body)
                    .contains("href=\"../../line/15?stop=N1&amp;lang=es\""))
            let board = try await client.execute(uri: "/widget/board/N1", method: .get)
            #expect(String(buffer: board.body).contains("href=\"../../board/N1\""))
            // Other answers may not be framed.
            let other = try await client.execute(uri: "/api/v1/stops", method: .get)
            #expect(
                other.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
        }
    }

    private static func contents(of tag: String, in html: String) -> [String] {
        html.components(separatedBy: "<\(tag)>").dropFirst().compactMap {
            $0.components(separatedBy: "</\(tag)>").first
        }
    }

    @Test func aPNGHasThePixelsOfTheDrawing() async throws {
        try await TransitFixture.asking(try await TransitFixture.state()) { client in
            let reply = try await client.execute(
                uri: "/widget/15/S%2F1%20s%C3%BCd.png?theme=light", method: .get)
            #expect(reply.headers[.contentType] == "image/png")
            let picture = try Pixels(Array(reply.body.readableBytesView))
            #expect(picture.width == 320 && picture.height == 320)
            #expect(picture[0, 0] == [0, 0, 0, 0], "The corners are round")
            #expect(picture[160, 8] == [0xFF, 0xFC, 0xF5, 255], "The card")
            // Left of the number on the badge of the line, whose colour is E74C3C.
            #expect(picture[36, 48] == [0xE7, 0x4C, 0x3C, 255])
            let ink = (0..<320).filter { picture[$0, 170] == [0x2C, 0x3E, 0x50, 255] }
            #expect(ink.count > 20, "Digits are drawn, so that there is a font")
            // It cannot know the theme of what shows it.
            let auto = try await client.execute(
                uri: "/widget/15/S%2F1%20s%C3%BCd.png", method: .get)
            #expect(
                try Pixels(Array(auto.body.readableBytesView))[160, 8] == [0xFF, 0xFC, 0xF5, 255])
            let dark = try await client.execute(
                uri: "/widget/15/S%2F1%20s%C3%BCd.png?theme=dark", method: .get)
            #expect(
                try Pixels(Array(dark.body.readableBytesView))[160, 8] == [0x24, 0x33, 0x42, 255])
        }
    }

    /// Areas keep their colours whatever is done to the edges of letters, and nothing else is far from what it was.
    @Test(arguments: [200, 3000, 5000])
    func aPaletteKeepsAreas(colours count: Int) throws {
        // More than 4,096 colours have no palette.
        let colours: ClosedRange<UInt32> = count == 5000 ? 0...0xFF_FFFF : 0x2C3E50...0x2C5E70
        var random = SeededGenerator(seed: UInt64(count))
        var pixels = [UInt32](repeating: 0xFFFF_FCF5, count: 100 * 100)
        for index in 0..<count {
            pixels[index] = 0xFF00_0000 | UInt32.random(in: colours, using: &random)
        }
        let bytes = try PNGWriter.bytes(pixels, width: 100)
        #expect(try PNGWriter.bytes(pixels, width: 100) == bytes)
        let picture = try Pixels(bytes)
        #expect(picture.width == 100 && picture.height == 100)
        for (index, pixel) in pixels.enumerated() {
            let found = picture[index % 100, index / 100]
            let wanted = [16, 8, 0].map { Int(pixel >> $0 & 255) }
            let tolerance = index < count && count == 3000 ? 31 : 0
            #expect(zip(found, wanted).allSatisfy { abs(Int($0) - $1) <= tolerance })
            #expect(found[3] == 255)
        }
    }

    /// A rider who sees both reads the same.
    @Test(arguments: PageLanguage.allCases)
    func theWordsAreThoseOfThePage(language: PageLanguage) throws {
        let url = Fixtures.checkout.appendingPathComponent(
            "Sources/BridgecastService/Resources/page/text/\(language.rawValue)-transit.json")
        let messages = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        let texts = WidgetTexts.of(language)
        for (status, text) in texts.statuses {
            #expect(text == messages["board.status.\(status.rawValue)"] as? String, "\(status)")
        }
        #expect(texts.statuses.count == Departure.Status.allCases.count)
        #expect(texts.confidences.count == 4 && texts.classes.count == ServiceClass.allCases.count)
        for (confidence, text) in texts.confidences {
            #expect(text == messages["line.sure.\(confidence.rawValue)"] as? String)
        }
        #expect("{n} \(texts.minutesLate)" == messages["board.status.late_by"] as? String)
        #expect("{n} \(texts.minutesEarly)" == messages["board.status.early_by"] as? String)
        #expect(texts.now == messages["line.now"] as? String)
        for (serviceClass, text) in texts.classes {
            #expect(text == messages["board.class.\(serviceClass.rawValue)"] as? String)
        }
        #expect("\(texts.towards) {name}" == messages["board.towards"] as? String)
        #expect(
            "\(texts.waitingAt) {bridge}" == messages["board.bridge.waiting_vehicle"] as? String)
    }

    @Test func whatIsNoPictureIsAFailure() {
        for text in ["", "<svg", "<html/>"] {
            #expect(throws: PictureRenderer.Failure.self) {
                try PictureRenderer.png(Array(text.utf8), width: 10, height: 10)
            }
        }
    }

    @Test func halfTransparentPixelsKeepTheirColour() throws {
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">\
            <rect width="4" height="4" fill="#E74C3C" opacity="0.5"/></svg>
            """
        let picture = try Pixels(try PictureRenderer.png(Array(svg.utf8), width: 4, height: 4))
        let pixel = picture[2, 2]
        #expect((126...129).contains(pixel[3]))
        for (channel, wanted) in zip(pixel, [0xE7, 0x4C, 0x3C]) {
            #expect(abs(Int(channel) - wanted) <= 2, "\(pixel)")
        }
    }

    @Test(arguments: [
        "#E74C3C", "#FFFFFF", "#000000", "#D4CFC4", "#2B376E", "#777777", "#00FF00", "#0000FF",
    ])
    func textCanBeReadOnEveryColour(_ background: String) {
        for own in [nil, "#FFFFFF", "#000000", "#777777"] {
            let colour = LineColour(background: background, foreground: own)
            #expect(
                Contrast.between(colour.background, colour.foreground) >= 4.5,
                "\(background) \(colour.foreground)")
        }
        #expect(LineColour(background: nil).background == "#E74C3C")
        #expect(
            LineColour(background: "#000000", foreground: "#FFD700").foreground == "#FFD700")
    }

    @Test func textIsShortenedToItsWidth() {
        let ellipsis = TextWidth.pixels("…", size: 12, isBold: true)
        for text in [
            "Montlake Blvd E & E Lake Washington Blvd", "渋谷駅前交差点", "iiiiiiiiiiiiiiiiii", "",
        ] {
            for width in [0.0, 20, 60, 132, 1000] {
                let fitted = TextWidth.fitted(text, size: 12, isBold: true, into: width)
                #expect(TextWidth.pixels(fitted, size: 12, isBold: true) <= max(width, ellipsis))
                #expect(fitted == text || fitted.hasSuffix("…"))
                if width == 1000 { #expect(fitted == text) }
            }
        }
        let lines = TextWidth.lines(
            "there is no stop 'N9' in the timetable", size: 12, into: 100, max: 3)
        #expect(lines.count == 3 && lines.joined(separator: " ").hasPrefix("there is no stop"))
    }
}

/// The contrast of two colours, from the definition in WCAG 2.2.
private enum Contrast {
    static func between(_ one: String, _ other: String) -> Double {
        let lights = [one, other].map(luminance).sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }

    private static func luminance(_ text: String) -> Double {
        let hex = Array(text.dropFirst())
        let linear = [0, 2, 4].map { start -> Double in
            let share = Double(Int(String(hex[start..<start + 2]), radix: 16) ?? 0) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}

/// The pixels of a PNG of eight bits a channel and unfiltered rows, with a palette or opacity.
private struct Pixels {
    struct Malformed: Error {}

    let width, height: Int
    private let rows: [UInt8]
    /// Red, green, blue and opacity of each index; nil without a palette.
    private let palette: [[UInt8]]?

    init(_ png: [UInt8]) throws {
        guard png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw Malformed()
        }
        let chunks = try Self.chunks(Array(png.dropFirst(8)))
        guard let head = chunks["IHDR"], head.count == 13, head[8] == 8, chunks["IEND"] == [],
            let packed = chunks["IDAT"]
        else { throw Malformed() }
        width = Self.number(head[0..<4])
        height = Self.number(head[4..<8])
        switch head[9] {
        case 3:
            guard let colours = chunks["PLTE"], let opacities = chunks["tRNS"],
                colours.count == 3 * opacities.count
            else { throw Malformed() }
            palette = opacities.indices.map { colours[3 * $0..<3 * $0 + 3] + [opacities[$0]] }
        case 6: palette = nil
        default: throw Malformed()
        }
        var bytes = [UInt8](repeating: 1, count: ((palette == nil ? 4 : 1) * width + 1) * height)
        var count = UInt(bytes.count)
        guard unsafe uncompress(&bytes, &count, packed, UInt(packed.count)) == Z_OK,
            count == bytes.count
        else { throw Malformed() }
        rows = bytes
    }

    /// The contents of chunks by their names; fails where a sum is wrong.
    private static func chunks(_ bytes: [UInt8]) throws -> [String: [UInt8]] {
        var chunks: [String: [UInt8]] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = number(rest.prefix(4))
            let named = Array(rest.dropFirst(4).prefix(4 + count))
            let sum = number(rest.dropFirst(8 + count).prefix(4))
            guard named.count == 4 + count,
                unsafe crc32(0, named, UInt32(named.count)) == UInt(sum)
            else { throw Malformed() }
            chunks[String(decoding: named.prefix(4), as: UTF8.self)] = Array(named.dropFirst(4))
            rest = rest.dropFirst(12 + count)
        }
        return chunks
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    subscript(x: Int, y: Int) -> [UInt8] {
        guard let palette else {
            let start = y * (4 * width + 1) + 1 + 4 * x
            return Array(rows[start..<start + 4])
        }
        return palette[Int(rows[y * (width + 1) + 1 + x])]
    }
}
