// The terminal: its size, its keys, and lines that are written only if they changed.
import ArgumentParser
import Bridgecast
import BridgecastCore
import Dispatch
import Foundation
import Glibc

/// A terminal that shows lines and reads single keys; ``restore()`` resets it.
@MainActor
package final class Terminal {
    let hasColour: Bool
    private var shown: [String] = []
    private var shownSize = (columns: 0, rows: 0)
    private var saved: termios?
    /// Whether the screen is ours.
    private(set) var isTaken = false

    package init(hasColour: Bool) { self.hasColour = hasColour }

    /// Whether a file descriptor is a terminal that can move its cursor.
    nonisolated package static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && Console.current.environment["TERM"] != "dumb"
    }

    /// Columns and rows now; 80 by 24 if unknown.
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        // Safe: the call fills the structure it is given, which lives through it.
        let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        guard isKnown, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Takes the screen and single keys; ``restore()`` brings the former content back.
    package func begin() {
        guard !isTaken else { return }
        isTaken = true
        shown = []
        shownSize = (0, 0)
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
        // Last: once the old screen is visible, typing is safe.
        write("\u{1B}[?25h\u{1B}[?1049l")
    }

    /// Shows lines from the top; writes only those that changed.
    ///
    /// - Returns: The number of lines written.
    @discardableResult
    package func show(_ lines: [StyledLine]) -> Int {
        guard isTaken else { return 0 }
        let size = size
        var output = ""
        if size != shownSize {
            shown = []
            shownSize = size
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

/// Holds a terminal until it is released.
@MainActor
package final class HeldTerminal {
    private let terminal: Terminal
    private let keys: any DispatchSourceRead
    private let signals: [any DispatchSourceSignal]

    /// Takes a terminal.
    ///
    /// Ctrl-Z gives it back while the program is suspended; then it is taken again.
    ///
    /// - Parameters:
    ///   - redraw: Called on any thread after a resize, or when it was taken again.
    ///   - pressed: Called on any thread with each key.
    package init(
        _ terminal: Terminal, redraw: @escaping @Sendable () -> Void,
        pressed: @escaping @Sendable (Character) -> Void
    ) {
        self.terminal = terminal
        let resize = Signals.each(SIGWINCH) { redraw() }
        let pause = Signals.each(SIGTSTP) {
            Task { @MainActor in
                terminal.restore()
                kill(getpid(), SIGSTOP)
            }
        }
        let resume = Signals.each(SIGCONT) {
            Task { @MainActor in
                guard !terminal.isTaken, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
                terminal.begin()
                redraw()
            }
        }
        signals = [resize, pause, resume]
        keys = Self.keys(pressed)
        terminal.begin()
    }

    /// Called on a queue of Dispatch, so it must not be isolated to an actor.
    nonisolated private static func keys(
        _ pressed: @escaping @Sendable (Character) -> Void
    ) -> any DispatchSourceRead {
        let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        keys.setEventHandler {
            let bytes = FileHandle.standardInput.availableData
            if bytes.isEmpty { return keys.cancel() }
            for byte in bytes { pressed(Character(Unicode.Scalar(byte))) }
        }
        keys.activate()
        return keys
    }

    /// Gives the terminal back.
    package func release() {
        keys.cancel()
        for signal in signals { signal.cancel() }
        terminal.restore()
    }
}

// MARK: - Styled text

/// Text with the styles that a terminal may show.
package struct StyledLine: Equatable {
    /// The look of a text if colours are shown.
    package enum Style: String {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case red = "1;31"
        case yellow = "33"
        case green = "32"
    }

    package private(set) var pieces: [(text: String, style: Style)] = []

    package init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

    package mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { pieces.append((text, style)) }
    }

    /// Adds a text in a column of a width; longer text is cut.
    package mutating func append(
        _ text: String, _ style: Style = .plain, width: Int, right: Bool = false
    ) {
        let isCut = text.terminalColumns > width
        let shown = isCut ? text.prefix(terminalColumns: max(0, width - 1)) + "…" : text
        // With a width of 0 even the ellipsis is too long.
        let blanks = String(repeating: " ", count: max(0, width - shown.terminalColumns))
        append(right ? blanks + shown : shown + blanks, style)
    }

    /// The line cut to a width, with or without colours.
    package func text(width: Int, hasColour: Bool) -> String {
        var left = width
        var result = ""
        for (text, style) in pieces where left > 0 {
            let shown = text.prefix(terminalColumns: left)
            // After a letter that was too wide everything is cut.
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

/// `--no-color`.
package struct ColourOptions: ParsableArguments {
    @Flag(name: .long, help: "No colours; the environment variable NO_COLOR does the same.")
    var noColor = false

    package init() {}

    /// Whether colours are shown (https://no-color.org).
    package var areShown: Bool {
        !noColor && Console.current.environment["NO_COLOR"].map(\.isEmpty) ?? true
    }
}
