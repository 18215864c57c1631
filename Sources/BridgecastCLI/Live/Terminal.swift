// The terminal: its size, its keys, and lines that are written only where they differ.
import Foundation
import Glibc

/// A terminal that shows lines and reads single keys; put back as it was by ``restore()``.
@MainActor
package final class Terminal {
    /// Whether colours are wanted.
    let hasColour: Bool
    private var shown: [String] = []
    private var shownSize = (columns: 0, rows: 0)
    private var saved: termios?
    /// Whether the screen is ours.
    private(set) var isTaken = false

    /// The terminal of this process, as it is.
    package init(hasColour: Bool) { self.hasColour = hasColour }

    /// Whether a file descriptor is a terminal that can move its cursor.
    nonisolated package static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && Console.current.environment["TERM"] != "dumb"
    }

    /// Columns and rows now; 80 by 24 where the terminal does not say.
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        // Safe: the call fills the structure it is given, which lives through it.
        let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        guard isKnown, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Takes the screen and single keys; what was on the screen comes back with ``restore()``.
    package func begin() {
        guard !isTaken else { return }
        isTaken = true
        (shown, shownSize) = ([], (0, 0))
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
            return
        }
        saved = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Gives the terminal back.
    package func restore() {
        guard isTaken else { return }
        isTaken = false
        if var settings = saved { _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
        saved = nil
        // Last: who sees the old screen may type.
        write("\u{1B}[?25h\u{1B}[?1049l")
    }

    /// Shows lines from the top; writes only those that differ from what stands there.
    ///
    /// - Returns: How many lines were written.
    @discardableResult
    package func show(_ lines: [StyledLine]) -> Int {
        guard isTaken else { return 0 }
        let size = size
        var output = ""
        if size != shownSize {
            (shown, shownSize) = ([], size)
            output += "\u{1B}[2J"
        }
        let texts = lines.prefix(size.rows).map {
            $0.text(width: size.columns, hasColour: hasColour)
        }
        var written = 0
        for row in 0..<max(texts.count, shown.count) {
            let text = row < texts.count ? texts[row] : ""
            guard row >= shown.count || shown[row] != text else { continue }
            output += "\u{1B}[\(row + 1);1H\(text)\u{1B}[K"
            written += 1
        }
        shown = texts
        if !output.isEmpty { write(output) }
        return written
    }

    private func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
