// A small chart as SVG: axes, lines, bars, dots and whiskers, for the evaluation's report.
import Foundation

/// One chart; coordinates are those of its axes.
struct SVGChart {
    /// One axis.
    struct Axis {
        let title: String
        let range: ClosedRange<Double>
        /// Where a tick stands and what it says.
        let ticks: [(value: Double, label: String)]
        var isLogarithmic = false

        /// Where a value lies between the ends, 0...1; beyond them it is drawn at the end.
        func position(_ value: Double) -> Double {
            let value = min(max(value, range.lowerBound), range.upperBound)
            let scale: (Double) -> Double = isLogarithmic ? { log10($0) } : { $0 }
            return (scale(value) - scale(range.lowerBound))
                / (scale(range.upperBound) - scale(range.lowerBound))
        }
    }

    /// Colours that remain distinct to colour-blind eyes (Okabe and Ito).
    static let colours = [
        "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#777777",
    ]

    private static let (width, height) = (680.0, 400.0)
    private static let (left, right, top, bottom) = (70.0, 20.0, 44.0, 58.0)

    private let title: String
    private let x: Axis
    private let y: Axis
    private var marks: [String] = []
    private var legend: [(name: String, colour: String)] = []

    init(title: String, x: Axis, y: Axis) {
        (self.title, self.x, self.y) = (title, x, y)
    }

    /// A line through points in order, with dots on them unless it is dashed.
    mutating func line(
        _ points: [(x: Double, y: Double)], colour: String, name: String? = nil,
        isDashed: Bool = false,
        width: Double = 2
    ) {
        let path = points.map { "\(text(px($0.x))),\(text(py($0.y)))" }.joined(separator: " ")
        let dash = isDashed ? " stroke-dasharray=\"5 4\"" : ""
        marks.append(
            "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(colour)\" "
                + "stroke-width=\"\(text(width))\"\(dash)/>")
        if !isDashed { for point in points { dot(point.x, point.y, colour: colour) } }
        if let name { legend.append((name, colour)) }
    }

    /// A dot.
    mutating func dot(_ xValue: Double, _ yValue: Double, colour: String) {
        marks.append(
            "<circle cx=\"\(text(px(xValue)))\" cy=\"\(text(py(yValue)))\" r=\"3.5\" "
                + "fill=\"\(colour)\"/>")
    }

    /// An interval at a place.
    mutating func whisker(_ xValue: Double, low: Double, high: Double, colour: String) {
        let at = text(px(xValue))
        marks.append(
            "<line x1=\"\(at)\" x2=\"\(at)\" y1=\"\(text(py(low)))\" y2=\"\(text(py(high)))\" "
                + "stroke=\"\(colour)\" stroke-width=\"1.5\"/>")
    }

    /// A bar from the axis' zero, or its lower end, between two places.
    mutating func bar(_ xValues: ClosedRange<Double>, _ yValue: Double, colour: String) {
        let base = py(max(y.range.lowerBound, 0))
        let end = py(yValue)
        let (low, high) = (px(xValues.lowerBound), px(xValues.upperBound))
        marks.append(
            "<rect x=\"\(text(low))\" y=\"\(text(min(base, end)))\" "
                + "width=\"\(text(high - low))\" height=\"\(text(abs(end - base)))\" "
                + "fill=\"\(colour)\" fill-opacity=\"0.85\"/>")
    }

    /// Names a colour in the legend.
    mutating func name(_ name: String, colour: String) { legend.append((name, colour)) }

    /// The picture.
    func svg() -> String {
        let frame = [grid(), marks.joined(separator: "\n"), legendText()].joined(separator: "\n")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(text(Self.width)) \
            \(text(Self.height))" role="img" aria-label="\(Self.escaped(title))" \
            font-family="system-ui, sans-serif" font-size="12" fill="#222">
            <rect width="100%" height="100%" fill="white"/>
            <text x="\(text(Self.left))" y="22" font-size="15" font-weight="600">\
            \(Self.escaped(title))</text>
            \(frame)
            </svg>
            """
    }

    /// Text that may stand in XML and HTML.
    static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }

    private func grid() -> String {
        var lines: [String] = []
        let (low, high) = (Self.height - Self.bottom, Self.top)
        for tick in y.ticks {
            let at = py(tick.value)
            let colour = tick.value == 0 ? "#888" : "#e3e3e3"
            lines.append(
                "<line x1=\"\(text(Self.left))\" x2=\"\(text(Self.width - Self.right))\" "
                    + "y1=\"\(text(at))\" y2=\"\(text(at))\" stroke=\"\(colour)\"/>"
                    + "<text x=\"\(text(Self.left - 8))\" y=\"\(text(at + 4))\" "
                    + "text-anchor=\"end\">\(Self.escaped(tick.label))</text>")
        }
        for tick in x.ticks {
            lines.append(
                "<text x=\"\(text(px(tick.value)))\" y=\"\(text(low + 18))\" "
                    + "text-anchor=\"middle\">\(Self.escaped(tick.label))</text>")
        }
        let middle = (low + high) / 2
        lines.append(
            "<text x=\"\(text((Self.left + Self.width - Self.right) / 2))\" "
                + "y=\"\(text(Self.height - 14))\" text-anchor=\"middle\">"
                + "\(Self.escaped(x.title))</text>"
                + "<text transform=\"translate(18 \(text(middle))) rotate(-90)\" "
                + "text-anchor=\"middle\">\(Self.escaped(y.title))</text>")
        return lines.joined(separator: "\n")
    }

    private func legendText() -> String {
        legend.enumerated().map { index, entry in
            let at = Self.top + 6 + Double(index) * 18
            let edge = Self.width - Self.right - 190
            return "<rect x=\"\(text(edge))\" y=\"\(text(at))\" width=\"12\" height=\"12\" "
                + "fill=\"\(entry.colour)\"/><text x=\"\(text(edge + 18))\" y=\"\(text(at + 10))\">"
                + "\(Self.escaped(entry.name))</text>"
        }.joined(separator: "\n")
    }

    private func px(_ value: Double) -> Double {
        Self.left + x.position(value) * (Self.width - Self.left - Self.right)
    }

    private func py(_ value: Double) -> Double {
        Self.height - Self.bottom - y.position(value) * (Self.height - Self.top - Self.bottom)
    }

    private func text(_ value: Double) -> String { fixed(value, 1) }
}
