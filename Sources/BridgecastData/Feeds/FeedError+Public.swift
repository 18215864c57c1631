// What strangers are told of a feed that fails; the log has the rest. Used by LiveService for FeedStatus.
private import BridgecastCore

extension FeedError {
    /// What is wrong, without an address, a path or words of somebody else's.
    package var publicWords: String {
        switch self {
        case .unreachable: "it cannot be reached"
        case .timedOut(_, let seconds): "no complete answer in \(Int(seconds)) s"
        case .status(_, let code, _): "it answered with HTTP status \(code)"
        case .declined(_, let code, _): "it declined to answer (HTTP \(code))"
        case .tooLarge: "its answer is too large"
        case .redirects: "it redirects in a circle or too often"
        case .address: "its address cannot be asked"
        case .refused: "its answer is not what it should be"
        case .failed: "it failed"
        }
    }

    /// As ``publicWords``, of whatever a feed threw.
    package static func publicWords(of error: any Error) -> String {
        if let error = error as? FeedError { return error.publicWords }
        return switch (error as? any Failure)?.kind {
        case .missing: "there is no file"
        case .data: "what it says cannot be read as it should be"
        case .io: "it cannot be read"
        default: "it failed"
        }
    }
}
