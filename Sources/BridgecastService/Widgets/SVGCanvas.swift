// Pictures of text and plain shapes in SVG, and the colours of widgets in each theme.
internal import BridgecastSupport
private import Foundation

/// Collects the shapes of a picture.
///
/// Colours are classes of ``WidgetStyle``, so that a page's security policy can name the only style sheet there is; the
/// colours of lines are attributes.
struct SVGCanvas: Sendable {
    private(set) var body = ""

    enum Anchor: String { case start, middle, end }

    /// Text at its baseline, shortened where it is wider than it may be.
    ///
    /// - Parameters:
    ///   - size: Of its letters, pixels.
    ///   - classes: Of ``WidgetStyle``; `bold` makes it wider.
    ///   - width: Pixels that it may take.
    ///   - attributes: More of them, escaped.
    mutating func text(
        _ text: String, x: Double, y: Double, size: Double, _ classes: String,
        anchor: Anchor = .start, width: Double = .infinity, attributes: String = ""
    ) {
        let shown = TextWidth.fitted(
            text, size: size, isBold: classes.contains("bold"), into: width)
        let position =
            "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" font-size=\"\(Self.number(size))\""
        let anchored = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        body +=
            "<text class=\"\(classes)\" \(position)\(anchored)\(attributes)>\(HTMLText.escaped(shown))</text>"
    }

    /// Pieces of text one after another, each with its own classes and attributes; none is shortened.
    mutating func text(
        _ pieces: [(text: String, classes: String, attributes: String)], x: Double, y: Double,
        size: Double
    ) {
        let spans = pieces.map { piece in
            "<tspan class=\"\(piece.classes)\"\(piece.attributes)>\(HTMLText.escaped(piece.text))</tspan>"
        }
        body +=
            "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" font-size=\"\(Self.number(size))\" "
            + "xml:space=\"preserve\">\(spans.joined())</text>"
    }

    mutating func rect(
        x: Double, y: Double, width: Double, height: Double, radius: Double, _ attributes: String
    ) {
        let numbers = [("x", x), ("y", y), ("width", width), ("height", height), ("rx", radius)]
        body += "<rect \(Self.attributes(numbers)) \(attributes)/>"
    }

    mutating func circle(x: Double, y: Double, radius: Double, _ attributes: String) {
        body += "<circle \(Self.attributes([("cx", x), ("cy", y), ("r", radius)])) \(attributes)/>"
    }

    mutating func path(_ points: [(x: Double, y: Double)], _ attributes: String) {
        let places = points.map { "\(Self.number($0.x)) \(Self.number($0.y))" }
        body += "<path d=\"M\(places.joined(separator: "L"))\" \(attributes)/>"
    }

    /// A shape around the origin, moved to a point and turned clockwise.
    mutating func turned(
        x: Double, y: Double, degrees: Double, _ draw: (inout SVGCanvas) -> Void
    ) {
        body +=
            "<g transform=\"translate(\(Self.number(x)) \(Self.number(y))) rotate(\(Self.number(degrees)))\">"
        draw(&self)
        body += "</g>"
    }

    /// A tenth of a pixel is finer than any screen.
    private static func number(_ value: Double) -> String {
        plainNumber((value * 10).rounded() / 10)
    }

    private static func attributes(_ numbers: [(String, Double)]) -> String {
        numbers.map { "\($0)=\"\(number($1))\"" }.joined(separator: " ")
    }
}

/// How wide text is, about: a widget is drawn before the font is known.
enum TextWidth {
    /// Widths of letters in ems, of a wide sans serif such as DejaVu Sans.
    private static func ems(_ letter: Character) -> Double {
        switch letter {
        case "i", "j", "l", "I", "|", "'", ".", ",", ":", ";", "!", " ", "·", "\u{A0}": 0.31
        case "f", "t", "r", "(", ")", "/", "-": 0.39
        case "m", "w", "M", "W", "@", "%": 0.9
        case "0"..."9": 0.6
        case _ where letter.isUppercase: 0.67
        case _ where letter.isASCII: 0.58
        // Chinese, Japanese, Korean and signs are as wide as they are high.
        case _ where letter.unicodeScalars.contains(where: { $0.value >= 0x1100 }): 1.05
        default: 0.65
        }
    }

    static func pixels(_ text: String, size: Double, isBold: Bool) -> Double {
        text.reduce(0) { $0 + ems($1) } * size * (isBold ? 1.06 : 1)
    }

    /// Text that is about so wide, its end cut off where it is wider.
    static func fitted(_ text: String, size: Double, isBold: Bool, into width: Double) -> String {
        let printed = printable(text, maxLength: 200)
        guard width < .infinity, pixels(printed, size: size, isBold: isBold) > width else {
            return printed
        }
        var shown = printed
        while !shown.isEmpty, pixels(shown + "…", size: size, isBold: isBold) > width {
            shown.removeLast()
        }
        return shown.trimmingCharacters(in: .whitespaces) + "…"
    }

    /// Text in lines that are about so wide; what is left over is cut off at the end of the last.
    static func lines(_ text: String, size: Double, into width: Double, max: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let longer = lines.last.map { "\($0) \(word)" } ?? String(word)
            let fits = pixels(longer, size: size, isBold: false) <= width
            if !lines.isEmpty, fits || lines.count == max {
                lines[lines.count - 1] = longer
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { fitted($0, size: size, isBold: false, into: width) }
    }
}

/// A colour of a line, and the letters that can be read on it.
struct LineColour: Sendable {
    /// `#RRGGBB`.
    let ground: String
    let letters: String

    /// For lines without a colour of their own.
    private static let fallback = "#E74C3C"
    private static let minContrast = 4.5

    /// - Parameters:
    ///   - ground: `#RRGGBB`; nil for none.
    ///   - letters: The feed's own; others where these cannot be read.
    init(ground: String?, letters: String?) {
        self.ground = ground ?? Self.fallback
        let light = Self.luminance(self.ground)
        let choices = [letters, "#FFFFFF", "#1B2631"].compactMap { $0 }
        self.letters =
            choices.first { Self.contrast(Self.luminance($0), light) >= Self.minContrast }
            ?? (light > 0.18 ? "#000000" : "#FFFFFF")
    }

    /// Relative luminance (WCAG 2.2), 0...1.
    private static func luminance(_ colour: String) -> Double {
        let value = Int(colour.dropFirst(), radix: 16) ?? 0
        let channels = [value >> 16 & 255, value >> 8 & 255, value & 255].map { byte -> Double in
            let share = Double(byte) / 255
            return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    }

    private static func contrast(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }
}

/// The style sheet of a picture: one text for each theme, so that a security policy can name it by its digest.
enum WidgetStyle {
    /// Colours with a contrast of 4.5 on the card, as the page has them; edges of 3.
    private struct Colours {
        let card, ink, second, edge, grid, high, medium, low, early, water: String

        static let light = Colours(
            card: "#FFFCF5", ink: "#2C3E50", second: "#34495E", edge: "#8A8577", grid: "#D4CFC4",
            high: "#1E7145", medium: "#8A4B08", low: "#B03A2E", early: "#1F618D",
            water: "#2980B9")
        static let dark = Colours(
            card: "#243342", ink: "#F5F1E8", second: "#D4CFC4", edge: "#7F8C9A", grid: "#3A4B5C",
            high: "#58C98B", medium: "#F0A45D", low: "#F1786B", early: "#5DADE2",
            water: "#5DADE2")

        var rules: String {
            ".card{fill:\(card);stroke:\(grid)}.ink{fill:\(ink)}.second{fill:\(second)}"
                + ".high,.on-time{fill:\(high)}.medium{fill:\(medium)}.low,.late,.stale{fill:\(low)}"
                + ".none{fill:\(second)}.early{fill:\(early)}.way{fill:none;stroke:\(ink)}"
                + ".ring{fill:\(card);stroke:\(ink)}.bridge{fill:none;stroke:\(water)}"
                + ".raised{fill:none;stroke:\(low)}.rule{stroke:\(grid)}.badge{stroke:\(edge)}"
        }
    }

    private static let fonts =
        "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif;"
        + "font-variant-numeric:tabular-nums}.bold{font-weight:700}"
    /// Colours that people have set for everything.
    private static let forced =
        "@media (forced-colors:active){.card{fill:Canvas;stroke:CanvasText}"
        + "text,.ink,.second,.high,.medium,.low,.none,.on-time,.late,.early,.stale{fill:CanvasText}"
        + ".way,.ring,.bridge,.raised,.rule{stroke:CanvasText}.ring{fill:Canvas}}"

    static func sheet(_ theme: WidgetTheme) -> String {
        switch theme {
        case .light: fonts + Colours.light.rules + forced
        case .dark: fonts + Colours.dark.rules + forced
        case .auto:
            fonts + Colours.light.rules
                + "@media (prefers-color-scheme:dark){\(Colours.dark.rules)}" + forced
        }
    }
}
