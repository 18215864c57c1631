// A line with colours, or without.
import Bridgecast
import BridgecastCore

/// Text with the styles that a terminal may show.
package struct StyledLine: Equatable {
    /// What a piece of text looks like where colours are shown.
    package enum Style: String {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case red = "1;31"
        case yellow = "33"
        case green = "32"
    }

    /// Its texts, in order.
    package private(set) var pieces: [(text: String, style: Style)] = []

    /// Begins a line.
    package init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

    /// Adds a text.
    package mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { pieces.append((text, style)) }
    }

    /// Adds a text in a column of a width; what is longer is cut.
    package mutating func append(
        _ text: String, _ style: Style = .plain, width: Int, right: Bool = false
    ) {
        let isCut = text.terminalColumns > width
        let shown = isCut ? text.prefix(terminalColumns: max(0, width - 1)) + "…" : text
        // The ellipsis alone is more than no columns have room for.
        let blanks = String(repeating: " ", count: max(0, width - shown.terminalColumns))
        append(right ? blanks + shown : shown + blanks, style)
    }

    /// The line cut to a width, with or without colours.
    package func text(width: Int, hasColour: Bool) -> String {
        var (left, result) = (width, "")
        for (text, style) in pieces where left > 0 {
            let shown = text.prefix(terminalColumns: left)
            // What follows a letter that was too wide is cut as well.
            left = shown.count < text.count ? 0 : left - shown.terminalColumns
            result +=
                hasColour && style != .plain ? "\u{1B}[\(style.rawValue)m\(shown)\u{1B}[0m" : shown
        }
        return result
    }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.pieces.elementsEqual(rhs.pieces) { $0.text == $1.text && $0.style == $1.style }
    }
}
