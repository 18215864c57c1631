// A POST of a carrier: to an allowed address, once, without redirects; and what its answer means.
internal import BridgecastAlerts
package import BridgecastCore
package import BridgecastFeeds
internal import BridgecastSupport
internal import Foundation

/// Sends requests of carriers.
package struct HTTPPost: Sendable {
    let transport: HTTPTransport
    let reach: NetworkReach
    let clock: any WallClock
    var timeoutSeconds: Double

    /// An answer's content is only read to its end; more than this is not.
    private static let maxAnswerBytes = 1 << 14

    /// Creates a sender.
    ///
    /// - Parameter timeoutSeconds: The limit of an exchange.
    package init(
        reach: NetworkReach, clock: any WallClock, timeoutSeconds: Double = 10,
        transport: HTTPTransport = HTTPTransport()
    ) {
        self.transport = transport
        self.reach = reach
        self.clock = clock
        self.timeoutSeconds = timeoutSeconds
    }

    /// Sends a request and waits for its answer.
    func send(
        to address: String, fields: [String: String], body: [UInt8]
    ) async -> HTTPExchange {
        guard let url = URL(string: address) else { return .unsent(.address) }
        var call = HTTPCall(url: url, maxBytes: Self.maxAnswerBytes)
        call.body = body
        call.fields = fields.merging([
            "User-Agent": "bridgecast/\(BridgecastVersion.current)",
            // libcurl would wait for a permission to send the body.
            "Expect": "",
        ]) { own, _ in own }
        call.isAllowed = { [reach] in reach.allows($0) }
        return await transport.exchange(call, timeoutSeconds: timeoutSeconds)
    }

    /// What an exchange means for the message.
    func outcome(of exchange: HTTPExchange) -> CarrierOutcome {
        switch exchange {
        case .unsent(.forbidden):
            .refused(
                reason: "its address is private or this machine's own; see --alerts-private")
        case .unsent(.address): .refused(reason: "not an address of HTTP")
        case .unsent(let failure): .failed(reason: Self.text(failure))
        case .unanswered(let failure): .uncertain(reason: "sent, no answer: \(Self.text(failure))")
        case .answered(let answer): outcome(of: answer)
        }
    }

    private func outcome(of answer: HTTPAnswer) -> CarrierOutcome {
        let reason = "HTTP \(answer.code)"
        switch answer.code {
        case 200..<300: return .delivered
        case 300..<400: return .refused(reason: "\(reason): redirects are not followed")
        // A gateway had no answer: the receiver may have.
        case 504: return .uncertain(reason: reason)
        case 408, 425, 429, 500...:
            return .failed(
                reason: reason,
                retryAfterSeconds: RetryAfter.seconds(
                    answer.field("Retry-After"), at: clock.now, max: 86_400))
        default: return .refused(reason: reason)
        }
    }

    private static func text(_ failure: HTTPFailure) -> String {
        switch failure {
        case .tooLarge: "its answer is too large"
        case .forbidden: "its address is not allowed"
        case .cancelled: "the service ended"
        case .timedOut: "timed out"
        case .address: "not an address of HTTP"
        case .unreachable(let reason): reason
        }
    }
}
