// A line with colours, or without.
import Bridgecast

/// Text with the styles that a terminal may show.
struct StyledLine: Equatable {
    /// What a piece of text looks like where colours are shown.
    enum Style: String {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case red = "1;31"
        case yellow = "33"
        case green = "32"
    }

    private(set) var pieces: [(text: String, style: Style)] = []

    init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

    mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { pieces.append((text, style)) }
    }

    /// Adds a text in a column of a width; what is longer is cut.
    mutating func append(_ text: String, _ style: Style = .plain, width: Int, right: Bool = false) {
        let shown = text.count > width ? String(text.prefix(max(0, width - 1))) + "…" : text
        let blanks = String(repeating: " ", count: width - shown.count)
        append(right ? blanks + shown : shown + blanks, style)
    }

    /// The line cut to a width, with or without colours.
    func text(width: Int, hasColour: Bool) -> String {
        var (left, result) = (width, "")
        for (text, style) in pieces where left > 0 {
            let shown = String(text.prefix(left))
            left -= shown.count
            result +=
                hasColour && style != .plain ? "\u{1B}[\(style.rawValue)m\(shown)\u{1B}[0m" : shown
        }
        return result
    }

    static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.pieces.elementsEqual(rhs.pieces) { $0.text == $1.text && $0.style == $1.style }
    }
}
