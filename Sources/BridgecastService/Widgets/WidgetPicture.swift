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
            canvas, width: layout.width, height: layout.height, title: Self.title(of: content),
            content.options)
    }

    /// A picture that says why there is none.
    init(_ problem: Problem, _ options: WidgetOptions) {
        let isRound = options.size == .round
        let width = WidgetLayouts.width(options.size)
        let height = isRound ? width : WidgetLayouts.smallHeight
        var canvas = SVGCanvas()
        Self.drawCard(&canvas, width, height, isRound: isRound)
        let margin = isRound ? 22 : WidgetLayouts.margin
        canvas.text("⚠", x: width / 2, y: isRound ? 38 : 40, size: 22, "low", anchor: .middle)
        let lines = TextWidth.lines(
            Self.text(of: problem), size: 12, into: width - 2 * margin, max: isRound ? 3 : 6)
        for (row, line) in lines.enumerated() {
            canvas.text(
                line, x: width / 2, y: (isRound ? 58 : 66) + 16 * Double(row), size: 12, "ink",
                anchor: .middle)
        }
        self.init(canvas, width: width, height: height, title: problem.detail, options)
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
            + "<style>\(WidgetStyle.sheet(options.theme))</style>"
            + "<title>\(HTMLText.escaped(title))</title>\(canvas.body)</svg>"
    }

    private static func drawCard(
        _ canvas: inout SVGCanvas, _ width: Double, _ height: Double, isRound: Bool
    ) {
        canvas.rect(
            x: 0.5, y: 0.5, width: width - 1, height: height - 1,
            radius: isRound ? (width - 1) / 2 : 18, "class=\"card\"")
    }

    /// What is wrong, and of a wrong parameter what it takes.
    private static func text(of problem: Problem) -> String {
        problem.code == .badParameter ? "\(problem.detail): \(problem.recovery)" : problem.detail
    }

    /// Such as "542 at Montlake: in 5 min to Redmond, HIGH, on time; in 20 min to Redmond, LOW, scheduled".
    ///
    /// Minutes, as it is read out and does not count down.
    private static func title(of content: WidgetContent) -> String {
        let texts = content.texts
        let name = [content.line?.title, content.stop.name].compactMap { $0 }
            .joined(separator: " \(texts.at) ")
        let coming = content.rows.prefix(6).map { entry -> String in
            let line = content.line == nil ? entry.route.map { "\($0.title) " } ?? "" : ""
            let departure = entry.departure
            let when = content.secondsLeft(entry).map(texts.minutes)
            let headsign = departure.headsign
            return [
                [line + (when ?? ""), headsign.isEmpty ? "" : "\(texts.to) \(headsign)"]
                    .filter { !$0.isEmpty }.joined(separator: " "),
                texts.confidences[departure.confidence] ?? "", texts.status(departure),
            ].filter { !$0.isEmpty }.joined(separator: ", ")
        }
        let rest =
            coming.isEmpty
            ? [texts.nothing, content.reason].compactMap { $0 }.joined(separator: ". ")
            : coming.joined(separator: "; ")
        let age = content.staleSeconds.map { ". \(texts.age(seconds: $0))" } ?? ""
        return printable("\(name): \(rest)\(age)", maxLength: 600)
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
        let colour = LineColour(ground: route.webColour, letters: route.webTextColour)
        rect(
            x: x, y: y, width: width, height: height, radius: height / 4,
            "class=\"badge\" fill=\"\(colour.ground)\"")
        self.text(
            title, x: x + width / 2, y: y + height * 0.73, size: size, "bold", anchor: .middle,
            attributes: " fill=\"\(colour.letters)\"")
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
            attributes: " data-at=\"\(time.secondsSinceEpoch)\"")
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
        } else if let bridge = texts.bridge(of: content, isShort: isShort) {
            text(bridge, x: x, y: y, size: size, "second", width: width)
        }
    }

    /// That nothing departs, and why.
    mutating func nothing(of content: WidgetContent, x: Double, top: Double, width: Double) {
        text("—", x: x, y: top + 24, size: 24, "bold ink")
        text(content.texts.nothing, x: x, y: top + 46, size: 12, "second", width: width)
        let lines = content.reason.map {
            TextWidth.lines($0, size: 11, into: width, max: 3)
        }
        for (row, line) in (lines ?? []).enumerated() {
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
