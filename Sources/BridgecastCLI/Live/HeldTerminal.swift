// A terminal that is held for a view, with the keys and signals that it answers; used by LiveSession and by `--watch` of transit.
import Dispatch
import Foundation
import Glibc

/// Holds a terminal until it is released.
@MainActor
package final class HeldTerminal {
    private let terminal: Terminal
    private let keys: any DispatchSourceRead
    private let signals: [any DispatchSourceSignal]

    /// Takes a terminal.
    ///
    /// Ctrl-Z gives it back while the program sleeps; it is taken again when it is ours again.
    ///
    /// - Parameters:
    ///   - redraw: Called on any thread when it has another size, or was taken again.
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
        let goOn = Signals.each(SIGCONT) {
            Task { @MainActor in
                guard !terminal.isTaken, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
                terminal.begin()
                redraw()
            }
        }
        signals = [resize, pause, goOn]
        keys = Self.keys(pressed)
        terminal.begin()
    }

    /// Called on a queue of Dispatch, so it belongs to no actor: what does traps there.
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
