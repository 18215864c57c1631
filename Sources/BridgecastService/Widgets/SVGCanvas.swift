// Pictures of text and plain shapes in SVG.
internal import BridgecastCore
internal import BridgecastSupport
private import Foundation

/// How a shape or a text looks.
///
/// Colours are classes of ``WidgetStyle``, so that a page's security policy can name the only style sheet there is; the
/// colours of lines are attributes.
struct SVGStyle: Sendable, ExpressibleByStringLiteral {
    /// Classes of ``WidgetStyle``, separated by spaces; in texts, `bold` makes letters wider.
    var classes = ""
    /// `#RRGGBB`; nil for the one of the classes.
    var fill: String?
    /// Pixels; nil for 1.
    var strokeWidth: Double?
    /// Whether a stroke's ends and corners are round.
    var isRounded = false
    /// Whether what a path surrounds twice is left open.
    var hasHoles = false

    init(
        _ classes: String = "", fill: String? = nil, strokeWidth: Double? = nil,
        isRounded: Bool = false, hasHoles: Bool = false
    ) {
        self.classes = classes
        self.fill = fill
        self.strokeWidth = strokeWidth
        self.isRounded = isRounded
        self.hasHoles = hasHoles
    }

    init(stringLiteral classes: String) { self.init(classes) }

    var isBold: Bool { classes.contains("bold") }

    /// Its attributes, each with a space before it.
    fileprivate var attributes: String {
        var text = classes.isEmpty ? "" : " class=\"\(classes)\""
        if let fill { text += " fill=\"\(fill)\"" }
        if let strokeWidth { text += " stroke-width=\"\(SVGCanvas.number(strokeWidth))\"" }
        if isRounded { text += " stroke-linejoin=\"round\" stroke-linecap=\"round\"" }
        if hasHoles { text += " fill-rule=\"evenodd\"" }
        return text
    }
}

/// Collects the shapes of a picture.
struct SVGCanvas: Sendable {
    /// A part of a line of text.
    struct Piece: Sendable {
        let text: String
        let style: SVGStyle
        /// The time that it counts down to; nil for other texts.
        var time: Timestamp?
    }

    private(set) var body = ""

    enum Anchor: String { case start, middle, end }

    /// Text at its baseline, shortened where it is wider than it may be.
    ///
    /// - Parameters:
    ///   - size: Of its letters, pixels.
    ///   - width: Pixels that it may take.
    ///   - time: The time that it counts down to; nil for other texts.
    ///   - language: Its own, where it is another than the picture's.
    mutating func text(
        _ text: String, x: Double, y: Double, size: Double, _ style: SVGStyle,
        anchor: Anchor = .start, width: Double = .infinity, countingTo time: Timestamp? = nil,
        language: PageLanguage? = nil
    ) {
        let shown = TextWidth.fitted(text, size: size, isBold: style.isBold, into: width)
        let numbers = Self.attributes([("x", x), ("y", y), ("font-size", size)])
        let anchored = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        let spoken = language.map { " lang=\"\($0.rawValue)\"" } ?? ""
        body +=
            "<text\(style.attributes) \(numbers)\(anchored)\(spoken)\(Self.countdown(time))>"
            + "\(HTMLText.escaped(shown))</text>"
    }

    /// Pieces of text one after another; none is shortened.
    mutating func text(_ pieces: [Piece], x: Double, y: Double, size: Double) {
        let spans = pieces.map { piece in
            "<tspan\(piece.style.attributes)\(Self.countdown(piece.time))>\(HTMLText.escaped(piece.text))</tspan>"
        }
        body +=
            "<text \(Self.attributes([("x", x), ("y", y), ("font-size", size)])) "
            + "xml:space=\"preserve\">\(spans.joined())</text>"
    }

    mutating func rect(
        x: Double, y: Double, width: Double, height: Double, radius: Double, _ style: SVGStyle
    ) {
        let numbers = [("x", x), ("y", y), ("width", width), ("height", height), ("rx", radius)]
        body += "<rect \(Self.attributes(numbers))\(style.attributes)/>"
    }

    mutating func circle(x: Double, y: Double, radius: Double, _ style: SVGStyle) {
        body +=
            "<circle \(Self.attributes([("cx", x), ("cy", y), ("r", radius)]))\(style.attributes)/>"
    }

    mutating func path(_ points: [(x: Double, y: Double)], _ style: SVGStyle) {
        let positions = points.map { "\(Self.number($0.x)) \(Self.number($0.y))" }
        path("M\(positions.joined(separator: "L"))", style)
    }

    /// A path by its commands (SVG 2, 9.3).
    mutating func path(_ commands: String, _ style: SVGStyle) {
        body += "<path d=\"\(commands)\"\(style.attributes)/>"
    }

    /// What the script of an embedded widget counts down to.
    private static func countdown(_ time: Timestamp?) -> String {
        time.map { " data-at=\"\($0.secondsSinceEpoch)\"" } ?? ""
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
    fileprivate static func number(_ value: Double) -> String {
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
