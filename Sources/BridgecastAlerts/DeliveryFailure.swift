// Why an alert did not arrive, as an error with what to do about it; what follows it is the dispatcher's.
public import BridgecastSupport

/// Why an alert was not delivered.
public enum DeliveryFailure: Failure, Equatable {
    /// It was not accepted, and may be later.
    case failed(reason: String, retryAfterSeconds: Double?)
    /// The receiver does not accept it.
    case refused(reason: String)
    /// Whether it was accepted is unknown: it is not sent again.
    case uncertain(reason: String)
    /// The address no longer exists.
    case gone(reason: String)

    /// What came of an attempt; nil if it was delivered.
    init?(_ outcome: CarrierOutcome) {
        switch outcome {
        case .delivered: return nil
        case .failed(let reason, let seconds):
            self = .failed(reason: reason, retryAfterSeconds: seconds)
        case .refused(let reason): self = .refused(reason: reason)
        case .uncertain(let reason): self = .uncertain(reason: reason)
        case .gone(let reason): self = .gone(reason: reason)
        }
    }

    /// ``FailureKind/io`` if it is sent again, ``FailureKind/missing`` for an address that is gone, else
    /// ``FailureKind/data``.
    public var kind: FailureKind {
        switch self {
        case .failed: .io
        case .gone: .missing
        case .refused, .uncertain: .data
        }
    }

    /// The pause that the receiver asked for, seconds.
    public var retryAfterSeconds: Double? {
        guard case .failed(_, let seconds) = self else { return nil }
        return seconds
    }

    /// What is wrong, with the reason.
    public var description: String {
        switch self {
        case .failed(let reason, _), .refused(let reason), .uncertain(let reason),
            .gone(let reason):
            "\(publicDescription): \(reason)"
        }
    }

    /// What is wrong, without the reason, which may name the receiver.
    public var publicDescription: String {
        switch self {
        case .failed: "the alert was not delivered"
        case .refused: "the receiver refuses the alert"
        case .uncertain: "it is unknown whether the alert arrived"
        case .gone: "the receiver's address no longer exists"
        }
    }

    /// What to do about it.
    public var recovery: String {
        switch self {
        case .failed: "Nothing has to be done; it is sent again for as long as it is useful."
        case .refused: "Check the address and its key with `bridgecast alert test`."
        case .uncertain: "Look at the receiver; it is not sent twice."
        case .gone:
            "Allow notifications again, or name another address with `bridgecast alert add`."
        }
    }
}
