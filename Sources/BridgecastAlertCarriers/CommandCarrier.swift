// Local commands: a program with its arguments, started without a shell, that reads the message.
public import BridgecastAlerts
internal import BridgecastSupport
private import Foundation

/// Runs a program for each message.
///
/// The program gets the JSON document on its standard input, and the parts of the message in its environment: nothing of a
/// message is ever an argument. Exit code 0 is a delivery, 75 (EX_TEMPFAIL) asks for another attempt, any other refuses.
public struct CommandCarrier: AlertCarrier {
    private let maxSeconds: Double

    /// Exit code of a program that asks to be started again later (sysexits.h).
    private static let temporaryFailure: Int32 = 75
    /// What a program gets of this process's environment.
    private static let inherited = ["PATH", "HOME", "LANG", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS"]

    /// Creates a carrier.
    ///
    /// - Parameter maxSeconds: How long a program may run.
    public init(maxSeconds: Double = 10) { self.maxSeconds = maxSeconds }

    /// Runs the program once.
    public func send(_ message: AlertMessage, to subscriber: Subscriber) async -> CarrierOutcome {
        guard case .command(let command) = subscriber.address, !command.isEmpty else {
            return .refused(reason: "not a command")
        }
        do {
            let end = try await ChildProcess.run(
                command, environment: Self.environment(of: message), input: message.json,
                maxSeconds: maxSeconds)
            return end.tookTooLong && end.code != 0
                ? .uncertain(reason: "ended after \(plainNumber(maxSeconds)) s")
                : Self.outcome(of: end)
        } catch is CancellationError {
            return .uncertain(reason: "the service ended")
        } catch {
            return .failed(reason: printable("\(error)", maxLength: 300))
        }
    }

    private static func outcome(of end: ChildProcess.End) -> CarrierOutcome {
        let error = end.error.isEmpty ? "" : ": \(printable(end.error, maxLength: 200))"
        let reason = "exit code \(end.code)\(error)"
        return switch end.code {
        case 0: .delivered
        case temporaryFailure: .failed(reason: reason)
        default: .refused(reason: reason)
        }
    }

    static func environment(of message: AlertMessage) -> [String: String] {
        let own = ProcessInfo.processInfo.environment.filter { inherited.contains($0.key) }
        return own.merging([
            "BRIDGECAST_ALERT_ID": message.id,
            "BRIDGECAST_ALERT_TITLE": message.title,
            "BRIDGECAST_ALERT_TEXT": message.text,
            "BRIDGECAST_ALERT_PRIORITY": message.priority.name,
            "BRIDGECAST_ALERT_KINDS": message.alerts.map(\.identity.kind.name)
                .joined(separator: ","),
        ]) { $1 }
    }
}
