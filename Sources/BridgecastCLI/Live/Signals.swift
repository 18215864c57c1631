// Signals of the system as events; used by LiveSession.
package import Dispatch
import Glibc

/// Signals that a live command answers.
package enum Signals {
    /// What ends it as `q` does; a hang-up does not where the one who started it wants it to live on (nohup).
    package static var stopping: [Int32] {
        var hangUp = sigaction()
        // Safe: the call only fills the structure it is given.
        unsafe sigaction(SIGHUP, nil, &hangUp)
        let handler = unsafe unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self)
        let isIgnored = unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
        return [SIGINT, SIGTERM, SIGQUIT] + (isIgnored ? [] : [SIGHUP])
    }

    /// Does this whenever the signal comes, from the moment on at which the call returns.
    package static func each(
        _ number: Int32, _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        // The default action would end the process before the source sees the signal.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: body)
        // Sources are registered later, on another thread; a signal that comes meanwhile would be lost.
        let registered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { registered.signal() }
        source.activate()
        registered.wait()
        return source
    }
}
