// Widgets of one line at a stop: small and round with a countdown, medium with three, large with the line above them.
internal import BridgecastCore
internal import BridgecastTransit
internal import BridgecastTransitAnswers

struct LineLayout: WidgetLayout {
    private let content: WidgetContent

    private static let headHeight = 46.0
    private static let sketchHeight = 132.0
    private static let footHeight = 22.0

    init(_ content: WidgetContent) { self.content = content }

    private var options: WidgetOptions { content.options }
    private var texts: WidgetTexts { content.texts }
    private var rows: [DepartureEntry] { content.groups.first?.rows ?? [] }
    private var margin: Double { WidgetLayouts.margin }

    var width: Double { WidgetLayouts.width(options.size) }

    var height: Double {
        switch options.size {
        case .small: WidgetLayouts.smallHeight
        case .round: width
        case .medium, .large:
            Self.headHeight + (content.sketch == nil ? 0 : Self.sketchHeight)
                + Double(options.rows) * rowHeight + Self.footHeight
        }
    }

    func draw(on canvas: inout SVGCanvas) {
        switch options.size {
        case .small: drawSmall(on: &canvas)
        case .round: drawRound(on: &canvas)
        case .medium, .large: drawRows(on: &canvas)
        }
    }

    // MARK: Small and round

    private func drawSmall(on canvas: inout SVGCanvas) {
        let inner = width - 2 * margin
        let badge = canvas.badge(content.line, x: margin, y: 12, height: 24, maxWidth: 76)
        let label = margin + badge + 8
        canvas.text(
            texts.next(content.line?.kind), x: label, y: 29, size: 12, "second",
            width: width - margin - label)
        if !options.isCompact {
            canvas.text(content.stop.name, x: margin, y: 55, size: 12, "ink", width: inner)
        }
        canvas.countdown(content.next, of: content, x: margin, y: 97, size: 40, width: inner)
        if options.rows > 1 {
            drawLater(on: &canvas, y: 118)
        } else {
            canvas.text(direction, x: margin, y: 118, size: 12, "second", width: inner)
        }
        if let next = content.next { drawConfidence(next, on: &canvas, y: 136) }
        canvas.footnote(of: content, x: margin, y: 151, size: 10, width: inner + 10, isShort: true)
    }

    /// Where the next one goes, or that nothing comes.
    private var direction: String {
        guard let next = content.next else { return texts.nothing }
        if next.departure.isLastStop { return texts.endsHere }
        let headsign = next.departure.headsign
        return headsign.isEmpty ? content.line?.longName ?? "" : "\(texts.to) \(headsign)"
    }

    /// Such as "then 20:10, 35:02".
    private func drawLater(on canvas: inout SVGCanvas, y: Double) {
        var pieces: [SVGCanvas.Piece] = []
        for entry in rows.dropFirst() {
            guard let seconds = content.secondsLeft(entry), let time = entry.departure.expected
            else { continue }
            pieces.append(.init(text: pieces.isEmpty ? "\(texts.then) " : ", ", style: "second"))
            pieces.append(.init(text: texts.countdown(seconds), style: "ink", time: time))
        }
        canvas.text(pieces, x: margin, y: y, size: 12)
    }

    /// How sure its time is, and the time by the clock.
    private func drawConfidence(_ entry: DepartureEntry, on canvas: inout SVGCanvas, y: Double) {
        let confidence = entry.departure.confidence
        canvas.confidence(confidence, x: margin + 4, y: y - 4, radius: 4)
        let clock = entry.departure.expected.map(content.clock) ?? ""
        guard !options.isCompact else {
            return canvas.text(clock, x: margin + 13, y: y, size: 11, "second")
        }
        canvas.text(
            [
                .init(
                    text: texts.confidences[confidence] ?? "",
                    style: SVGStyle("bold \(confidence.styleClass)")),
                .init(text: clock.isEmpty ? "" : " · \(clock)", style: "second"),
            ], x: margin + 13, y: y, size: 11)
    }

    private func drawRound(on canvas: inout SVGCanvas) {
        let middle = width / 2
        let badge = badgeWidth(height: 22)
        canvas.badge(content.line, x: middle - badge / 2, y: 16, height: 22, maxWidth: 64)
        canvas.roundCountdown(
            content.next, of: content, x: middle,
            above: content.next?.departure.expected.map(content.clock) ?? "")
        if let next = content.next {
            canvas.confidence(next.departure.confidence, x: middle, y: 103, radius: 4)
        }
    }

    private func badgeWidth(height: Double) -> Double {
        var measured = SVGCanvas()
        return measured.badge(content.line, x: 0, y: 0, height: height, maxWidth: 64)
    }

    // MARK: Medium and large

    private var rowHeight: Double { options.isCompact ? 28 : 34 }

    private func drawRows(on canvas: inout SVGCanvas) {
        let badge = canvas.badge(content.line, x: margin, y: 12, height: 26)
        let nameStart = margin + badge + 10
        canvas.text(
            content.stop.name, x: nameStart, y: 30, size: 15, "bold ink",
            width: width - margin - nameStart)
        var top = Self.headHeight
        if let sketch = content.sketch {
            sketch.draw(
                on: &canvas, colour: LineColour(background: content.line?.webColour),
                x: margin + 4, y: top + 8, width: width - 2 * margin - 8,
                height: Self.sketchHeight - 20)
            top += Self.sketchHeight
        }
        if rows.isEmpty {
            canvas.nothing(
                of: content, x: margin, top: top, width: width - 2 * margin,
                height: height - Self.footHeight - top)
        }
        for (index, entry) in rows.enumerated() {
            draw(entry, on: &canvas, top: top + Double(index) * rowHeight)
        }
        canvas.footnote(
            of: content, x: margin, y: height - 11, size: 11, width: width - 2 * margin)
    }

    private func draw(_ entry: DepartureEntry, on canvas: inout SVGCanvas, top: Double) {
        let departure = entry.departure
        canvas.confidence(departure.confidence, x: margin + 5, y: top + 13, radius: 5)
        canvas.countdown(
            entry, of: content, x: margin + 20, y: top + 21, size: 22, width: 88)
        let start = margin + 122
        let right = width - margin
        guard !options.isCompact else {
            return canvas.text(
                texts.destination(departure), x: start, y: top + 19, size: 13, "second",
                width: right - start)
        }
        canvas.text(
            texts.destination(departure), x: start, y: top + 12, size: 13, "ink",
            width: right - start)
        canvas.text(
            texts.confidences[departure.confidence] ?? "", x: start, y: top + 27, size: 11,
            SVGStyle("bold \(departure.confidence.styleClass)"))
        let clock = departure.expected.map(content.clock)
        canvas.text(
            [texts.status(departure), clock].compactMap { $0 }.joined(separator: " · "), x: right,
            y: top + 27, size: 11, SVGStyle(departure.status.styleClass), anchor: .end,
            width: right - start - 52)
    }
}

extension SVGCanvas {
    /// The two leaves of a drawbridge beside a way to the right; those of a raised one are open.
    fileprivate mutating func leaves(isRaised: Bool) {
        let lift = isRaised ? 8.0 : 0
        let style = SVGStyle(
            isRaised ? "raised" : "bridge", strokeWidth: 3.5, isRounded: true)
        for side in [-1.0, 1] {
            path([(side * 9, -7), (side * 1.5, -7 - lift)], style)
        }
    }
}

extension LineSketch {
    private static let minStopPixels = 7.0

    fileprivate func draw(
        on canvas: inout SVGCanvas, colour: LineColour, x: Double, y: Double, width: Double,
        height: Double
    ) {
        let frame = SketchFrame(way, x: x, y: y, width: width, height: height)
        canvas.path(frame.way(way), SVGStyle("way", strokeWidth: 4, isRounded: true))
        for stop in frame.way(stops, minPixels: Self.minStopPixels) {
            canvas.circle(x: stop.x, y: stop.y, radius: 2.5, SVGStyle("ring", strokeWidth: 1.5))
        }
        for bridge in bridges {
            let position = frame.position(bridge.point)
            canvas.turned(x: position.x, y: position.y, degrees: bridge.degrees) { canvas in
                canvas.leaves(isRaised: bridge.isRaised)
            }
        }
        if let selectedStop {
            let position = frame.position(selectedStop)
            canvas.circle(
                x: position.x, y: position.y, radius: 6,
                SVGStyle("badge", fill: colour.background, strokeWidth: 2))
        }
        for vehicle in vehicles {
            let position = frame.position(vehicle.point)
            canvas.turned(x: position.x, y: position.y, degrees: vehicle.degrees) { canvas in
                canvas.rect(
                    x: -8, y: -4, width: 16, height: 8, radius: 4,
                    SVGStyle("ring", strokeWidth: 1.5))
                canvas.rect(
                    x: -7, y: -3, width: 14, height: 6, radius: 3,
                    SVGStyle("vehicle", fill: colour.background))
            }
        }
    }
}
