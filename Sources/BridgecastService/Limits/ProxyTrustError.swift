// What is wrong with the settings of proxies; told by the command.
public import BridgecastCore

/// What is wrong with the settings of proxies.
public enum ProxyTrustError: Failure, Equatable {
    /// No address and no network.
    case noAddress(String)
    /// No name of a field.
    case noField(String)

    /// The settings are wrong.
    public var kind: FailureKind { .usage }

    /// What is wrong, and what is taken.
    public var description: String {
        switch self {
        case .noAddress(let text):
            "trusted_proxies: '\(printable(text, most: 60))' is no address and no network such as 10.0.0.0/8"
        case .noField(let text):
            "trusted_header: '\(printable(text, most: 60))' is no name of a field such as X-Forwarded-For"
        }
    }
}
