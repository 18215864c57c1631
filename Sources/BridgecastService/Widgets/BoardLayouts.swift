// Widgets of all that departs from a stop, by direction: small and round with the next, medium in two columns, large in
// full.
internal import BridgecastCore
internal import BridgecastTransit
internal import BridgecastTransitAnswers

struct BoardLayout: WidgetLayout {
    private let content: WidgetContent

    private static let headHeight = 42.0
    private static let nameHeight = 20.0
    private static let footHeight = 20.0
    private static let gap = 16.0

    init(_ content: WidgetContent) { self.content = content }

    private var options: WidgetOptions { content.options }
    private var texts: WidgetTexts { content.texts }
    private var margin: Double { WidgetLayouts.margin }
    private var inner: Double { width - 2 * margin }

    var width: Double { WidgetLayouts.width(options.size) }

    private var rowHeight: Double {
        if options.isCompact { return 26 }
        return isInColumns ? 36 : 42
    }

    private var isInColumns: Bool { options.size == .medium && content.groups.count == 2 }

    var height: Double {
        switch options.size {
        case .small: return WidgetLayouts.smallHeight
        case .round: return width
        case .medium, .large: break
        }
        let heights = content.groups.map(height)
        return Self.headHeight + (isInColumns ? heights.max() ?? 0 : heights.reduce(0, +))
            + Self.footHeight
    }

    private func height(_ group: WidgetContent.Group) -> Double {
        (group.name == nil ? 0 : Self.nameHeight) + Double(options.rows) * rowHeight
    }

    func draw(on canvas: inout SVGCanvas) {
        switch options.size {
        case .small: drawSmall(on: &canvas)
        case .round: drawRound(on: &canvas)
        case .medium, .large: drawGroups(on: &canvas)
        }
    }

    // MARK: Small and round

    private func drawSmall(on canvas: inout SVGCanvas) {
        canvas.text(content.stop.name, x: margin, y: 28, size: 13, "bold ink", width: inner)
        for (index, entry) in coming.prefix(options.rows).enumerated() {
            let top = 42 + 32 * Double(index)
            canvas.badge(entry.route, x: margin, y: top, height: 22, maxWidth: 58)
            canvas.countdown(
                entry, of: content, x: width - margin, y: top + 17, size: 18, anchor: .end,
                width: 68)
        }
        if coming.isEmpty {
            canvas.nothing(of: content, x: margin, top: 40, width: inner, height: 98)
        }
        canvas.footnote(of: content, x: margin, y: 150, size: 10, width: inner + 10, isShort: true)
    }

    /// All directions together, the next first.
    private var coming: [DepartureEntry] {
        content.rows.sorted {
            ($0.departure.expected?.secondsSinceEpoch ?? .max)
                < ($1.departure.expected?.secondsSinceEpoch ?? .max)
        }
    }

    private func drawRound(on canvas: inout SVGCanvas) {
        let middle = width / 2
        let next = coming.first { $0.departure.isServed }
        canvas.text(
            next?.route?.title ?? "", x: middle, y: 38, size: 15, "bold second", anchor: .middle,
            width: 72)
        canvas.roundCountdown(
            next, of: content, x: middle, above: next?.departure.headsign ?? "")
        if let next { canvas.confidence(next.departure.confidence, x: middle, y: 103, radius: 4) }
    }

    // MARK: Medium and large

    private func drawGroups(on canvas: inout SVGCanvas) {
        canvas.text(content.stop.name, x: margin, y: 28, size: 15, "bold ink", width: inner - 64)
        canvas.text(
            content.clock(content.period.end), x: width - margin, y: 28, size: 11, "second",
            anchor: .end)
        defer { canvas.footnote(of: content, x: margin, y: height - 9, size: 11, width: inner) }
        guard !coming.isEmpty else {
            return canvas.nothing(
                of: content, x: margin, top: Self.headHeight, width: inner,
                height: height - Self.footHeight - Self.headHeight)
        }
        let columnWidth = isInColumns ? (inner - Self.gap) / 2 : inner
        var (x, y) = (margin, Self.headHeight)
        for group in content.groups {
            draw(group, on: &canvas, x: x, top: y, width: columnWidth)
            if isInColumns {
                x += columnWidth + Self.gap
            } else {
                y += height(group)
            }
        }
    }

    private func draw(
        _ group: WidgetContent.Group, on canvas: inout SVGCanvas, x: Double, top: Double,
        width: Double
    ) {
        var y = top
        if let name = group.name {
            canvas.text(
                texts.towards(name), x: x, y: y + 11, size: 11, "bold second", width: width)
            y += Self.nameHeight
        }
        if group.rows.isEmpty { canvas.text("—", x: x, y: y + 14, size: 18, "bold ink") }
        for entry in group.rows.prefix(options.rows) {
            draw(entry, on: &canvas, x: x, top: y, width: width)
            y += rowHeight
        }
    }

    private func draw(
        _ entry: DepartureEntry, on canvas: inout SVGCanvas, x: Double, top: Double, width: Double
    ) {
        let right = x + width
        let badge = canvas.badge(
            entry.route, x: x, y: top, height: 18, maxWidth: isInColumns ? 56 : 100)
        canvas.countdown(
            entry, of: content, x: right, y: top + 14, size: isInColumns ? 14 : 18, anchor: .end,
            width: isInColumns ? 52 : 90)
        let start = x + badge + 7
        let headsign = entry.departure.headsign
        if isInColumns {
            canvas.text(
                options.isCompact ? headsign : clock(entry), x: start, y: top + 13, size: 11, "ink",
                width: right - start - 54)
        } else {
            canvas.text(
                headsign, x: start, y: top + 14, size: 14, "bold ink", width: right - start - 96)
        }
        guard !options.isCompact else { return }
        let status = texts.status(entry.departure)
        let statusWidth = min(
            TextWidth.pixels(status, size: 10.5, isBold: false), width * 0.55)
        canvas.text(
            status, x: right, y: top + 29, size: 10.5,
            SVGStyle(entry.departure.status.styleClass), anchor: .end, width: statusWidth + 1)
        canvas.text(
            isInColumns ? headsign : details(entry), x: x, y: top + 29, size: 11, "second",
            width: width - statusWidth - 8)
    }

    private func clock(_ entry: DepartureEntry) -> String {
        entry.departure.expected.map(content.clock) ?? ""
    }

    /// Its time by the clock, its number and its class, as far as it has them.
    private func details(_ entry: DepartureEntry) -> String {
        let name = entry.departure.shortName
        let serviceClass = entry.route?.serviceClass(ofTrip: name, to: entry.departure.headsign)
        // Some feeds write the class there.
        let isNumber = name.contains(where: \.isNumber)
        return [
            clock(entry), isNumber ? "\(texts.number) \(name)" : nil,
            serviceClass.flatMap { texts.classes[$0] },
        ].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
