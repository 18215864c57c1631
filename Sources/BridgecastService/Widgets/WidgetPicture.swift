// The picture of a widget in SVG: what all sizes share, and the picture of a problem. Layouts are in LineLayouts.swift and
// BoardLayouts.swift.
internal import BridgecastCore
internal import BridgecastSupport
internal import BridgecastTransit
internal import BridgecastTransitAnswers

/// A picture with the text that is read out in its place.
struct WidgetPicture: Sendable {
    let width: Double
    let height: Double
    /// What it shows, for those who do not see it.
    let title: String
    /// The document, without an XML declaration, so that it can be put into HTML.
    let svg: String

    init(_ content: WidgetContent) {
        let layout: any WidgetLayout =
            if content.subject.route != nil { LineLayout(content) } else { BoardLayout(content) }
        let isRound = content.options.size == .round
        var canvas = SVGCanvas()
        Self.drawCard(&canvas, layout.width, layout.height, isRound: isRound)
        layout.draw(on: &canvas)
        self.init(
            canvas, width: layout.width, height: layout.height,
            title: WidgetDescription.text(of: content), content.options)
    }

    /// A picture that says why there is none.
    init(_ problem: Problem, _ options: WidgetOptions) {
        let message = WidgetTexts.of(options.language).message(problem)
        let isRound = options.size == .round
        let width = WidgetLayouts.width(options.size)
        let height = isRound ? width : WidgetLayouts.smallHeight
        var canvas = SVGCanvas()
        Self.drawCard(&canvas, width, height, isRound: isRound)
        let margin = isRound ? 22 : WidgetLayouts.margin
        canvas.text("⚠", x: width / 2, y: isRound ? 38 : 40, size: 22, "low", anchor: .middle)
        let lines = TextWidth.lines(
            message, size: 12, into: width - 2 * margin, max: isRound ? 3 : 6)
        for (row, line) in lines.enumerated() {
            canvas.text(
                line, x: width / 2, y: (isRound ? 58 : 66) + 16 * Double(row), size: 12, "ink",
                anchor: .middle)
        }
        self.init(
            canvas, width: width, height: height,
            title: WidgetTexts.of(options.language).title(problem), options)
    }

    private init(
        _ canvas: SVGCanvas, width: Double, height: Double, title: String, _ options: WidgetOptions
    ) {
        self.width = width
        self.height = height
        self.title = title
        let size = "width=\"\(Int(width))\" height=\"\(Int(height))\""
        svg =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) viewBox=\"0 0 \(Int(width)) \(Int(height))\""
            + " role=\"img\" lang=\"\(options.language.rawValue)\">"
            + "<title>\(HTMLText.escaped(title))</title>"
            + "<style>\(WidgetStyle.sheet(options.theme))</style>\(canvas.body)</svg>"
    }

    private static func drawCard(
        _ canvas: inout SVGCanvas, _ width: Double, _ height: Double, isRound: Bool
    ) {
        canvas.rect(
            x: 0.5, y: 0.5, width: width - 1, height: height - 1,
            radius: isRound ? (width - 1) / 2 : 18, "card")
    }
}

/// Where a widget has its parts.
protocol WidgetLayout {
    init(_ content: WidgetContent)
    var width: Double { get }
    var height: Double { get }
    func draw(on canvas: inout SVGCanvas)
}

enum WidgetLayouts {
    static let margin = 14.0
    static let smallHeight = 160.0

    static func width(_ size: WidgetSize) -> Double {
        switch size {
        case .small: 160
        case .medium, .large: 340
        case .round: 120
        }
    }
}

// MARK: - Parts

extension SVGCanvas {
    /// A line's number on its colour.
    ///
    /// - Parameter maxWidth: Longer names are cut off.
    /// - Returns: Its width.
    @discardableResult
    mutating func badge(
        _ route: TransitRoute?, x: Double, y: Double, height: Double, maxWidth: Double = 110
    ) -> Double {
        guard let route else { return 0 }
        let size = height * 0.62
        let padding = height * 0.36
        let title = TextWidth.fitted(
            route.title, size: size, isBold: true, into: maxWidth - 2 * padding)
        let text = TextWidth.pixels(title, size: size, isBold: true)
        let width = max(height, text + 2 * padding)
        let colour = LineColour(background: route.webColour, foreground: route.webTextColour)
        rect(
            x: x, y: y, width: width, height: height, radius: height / 4,
            SVGStyle("badge", fill: colour.background))
        self.text(
            title, x: x + width / 2, y: y + height * 0.73, size: size,
            SVGStyle("bold", fill: colour.foreground), anchor: .middle)
        return width
    }

    /// How long until a departure; a dash for none, a word for one that does not come.
    mutating func countdown(
        _ entry: DepartureEntry?, of content: WidgetContent, x: Double, y: Double, size: Double,
        anchor: Anchor = .start, width: Double
    ) {
        guard let entry else {
            return text("—", x: x, y: y, size: size, "bold ink", anchor: anchor)
        }
        guard let seconds = content.secondsLeft(entry), let time = entry.departure.expected else {
            let status = content.texts.status(entry.departure)
            return text(
                status, x: x, y: y, size: size * 0.7, "bold late", anchor: anchor, width: width)
        }
        let shown = content.texts.countdown(seconds)
        let natural = TextWidth.pixels(shown, size: size, isBold: true)
        text(
            shown, x: x, y: y, size: size * min(1, width / natural), "bold ink", anchor: anchor,
            countingTo: time)
    }

    /// The countdown of a round widget and what is below it, in whose place the age of old data is shown.
    mutating func roundCountdown(
        _ entry: DepartureEntry?, of content: WidgetContent, x: Double, above caption: String
    ) {
        countdown(entry, of: content, x: x, y: 73, size: 30, anchor: .middle, width: 96)
        let age = content.staleSeconds.map { content.texts.age(seconds: $0) }
        text(
            age ?? caption, x: x, y: 91, size: 10, age == nil ? "second" : "bold stale",
            anchor: .middle, width: 98)
    }

    /// How sure a time is, by its form as much as by its colour: a disc is high, half of one medium, a ring low, a dash the
    /// timetable's.
    mutating func confidence(
        _ confidence: DepartureConfidence, x: Double, y: Double, radius: Double
    ) {
        let style = confidence.styleClass
        switch confidence {
        case .high: circle(x: x, y: y, radius: radius, SVGStyle(style))
        case .medium:
            ring(x: x, y: y, radius: radius, style)
            path(
                "M\(plainNumber(x)) \(plainNumber(y - radius))v\(plainNumber(2 * radius))"
                    + "a\(plainNumber(radius)) \(plainNumber(radius)) 0 0 1 0 \(plainNumber(-2 * radius))z",
                SVGStyle(style))
        case .low: ring(x: x, y: y, radius: radius, style)
        case .none:
            rect(x: x - radius, y: y - 1, width: 2 * radius, height: 2, radius: 1, SVGStyle(style))
        }
    }

    private mutating func ring(x: Double, y: Double, radius: Double, _ style: String) {
        let circles = [radius, radius - 1.6].map { radius in
            let (across, out) = (plainNumber(2 * radius), plainNumber(radius))
            return "M\(plainNumber(x - radius)) \(plainNumber(y))a\(out) \(out) 0 1 0 \(across) 0"
                + "a\(out) \(out) 0 1 0 -\(across) 0z"
        }
        path(circles.joined(), SVGStyle(style, hasHoles: true))
    }

    /// What is wrong, or what a bridge may do: the weightiest of them.
    ///
    /// - Parameter isShort: Whether there is no room for more than a bridge's bare name.
    mutating func footnote(
        of content: WidgetContent, x: Double, y: Double, size: Double, width: Double,
        isShort: Bool = false
    ) {
        let texts = content.texts
        if let seconds = content.staleSeconds {
            text(texts.age(seconds: seconds), x: x, y: y, size: size, "bold stale", width: width)
        } else if content.isTimetableOnly {
            text(texts.timetableOnly, x: x, y: y, size: size, "stale", width: width)
        } else if !content.options.isCompact,
            let bridge = texts.bridge(of: content, isShort: isShort)
        {
            text(bridge, x: x, y: y, size: size, "second", width: width)
        }
    }

    /// That nothing departs, and why as far as there is room.
    mutating func nothing(
        of content: WidgetContent, x: Double, top: Double, width: Double, height: Double
    ) {
        text("—", x: x, y: top + 24, size: 24, "bold ink")
        guard height >= 50 else {
            let start = x + 34
            return text(
                content.texts.nothing, x: start, y: top + 21, size: 12, "second",
                width: x + width - start)
        }
        text(content.texts.nothing, x: x, y: top + 46, size: 12, "second", width: width)
        let maxLines = min(3, Int((height - 52) / 14))
        guard let reason = content.reason, maxLines > 0 else { return }
        let lines = TextWidth.lines(reason, size: 11, into: width, max: maxLines)
        for (row, line) in lines.enumerated() {
            text(line, x: x, y: top + 62 + 14 * Double(row), size: 11, "second", width: width)
        }
    }
}

extension DepartureConfidence {
    /// Its class in ``WidgetStyle``.
    var styleClass: String { rawValue.lowercased() }
}

extension Departure.Status {
    /// Its class in ``WidgetStyle``.
    var styleClass: String {
        switch self {
        case .onTime: "on-time"
        case .late, .cancelled, .skipped: "late"
        case .early: "early"
        case .scheduled, .added, .noData: "second"
        }
    }
}
