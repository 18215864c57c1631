// The colours of widgets in each theme, and those of lines.
private import Foundation

/// A colour of a line, and that of text that can be read on it.
struct LineColour: Sendable {
    /// `#RRGGBB`.
    let background: String
    let foreground: String

    /// For lines without a colour of their own.
    private static let fallback = "#E74C3C"
    private static let minContrast = 4.5

    /// - Parameters:
    ///   - background: `#RRGGBB`; nil for none.
    ///   - foreground: The feed's own; another where it cannot be read.
    init(background: String?, foreground: String? = nil) {
        self.background = background ?? Self.fallback
        let luminance = Self.luminance(self.background)
        let choices = [foreground, "#FFFFFF", "#1B2631"].compactMap { $0 }
        self.foreground =
            choices.first { Self.contrast(Self.luminance($0), luminance) >= Self.minContrast }
            ?? (luminance > 0.18 ? "#000000" : "#FFFFFF")
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
        "@media (forced-colors:active){.card,.badge{fill:Canvas;stroke:CanvasText}"
        + "text,.ink,.second,.high,.medium,.low,.none,.on-time,.late,.early,.stale{fill:CanvasText}"
        + ".way,.ring,.bridge,.raised,.rule{stroke:CanvasText}.ring{fill:Canvas}.vehicle{fill:CanvasText}}"

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
