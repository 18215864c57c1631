internal import BridgecastCore
public import BridgecastSupport
internal import Foundation

/// Why a feed gave nothing usable.
public enum FeedError: Failure, Equatable {
    /// No connection, or it was closed.
    case unreachable(url: String, reason: String)
    /// No answer, or not all of it, in time.
    case timedOut(url: String, seconds: Double)
    /// An HTTP status other than success.
    case status(url: String, code: Int, retryAfterSeconds: Double?)
    /// A refusal with the server's reason.
    case declined(url: String, code: Int, reason: String)
    /// More bytes than such a reply can have, packed or unpacked.
    case tooLarge(url: String, limitBytes: Int)
    /// It redirects in a circle, too often, or to something other than HTTP.
    case redirects(url: String)
    /// Not a valid HTTP address.
    case address(url: String)
    /// An answer that is not valid.
    case refused(url: String, reason: String)
    /// Another implementation of a feed threw its own error.
    case failed(feed: String, reason: String)

    /// Converts an error that a feed threw.
    ///
    /// - Throws: `CancellationError` if the error is one.
    package init(_ error: any Error, feed: String) throws(CancellationError) {
        switch error {
        case let error as FeedError: self = error
        case let error as CancellationError: throw error
        default: self = .failed(feed: feed, reason: printable("\(error)", maxLength: 300))
        }
    }

    /// ``FailureKind/io`` if asking again may help, otherwise ``FailureKind/data``.
    public var kind: FailureKind { isTransient ? .io : .data }

    /// Whether asking again may help.
    public var isTransient: Bool {
        switch self {
        case .unreachable, .timedOut, .refused, .failed: true
        case .declined(_, let code, _): code >= 500
        case .status(_, let code, _): code == 408 || code == 425 || code == 429 || code >= 500
        case .tooLarge, .redirects, .address: false
        }
    }

    /// Whether an answer came, so that the network is not what failed.
    package var isAnswer: Bool {
        switch self {
        case .unreachable, .timedOut: false
        case .status, .declined, .tooLarge, .redirects, .address, .refused, .failed: true
        }
    }

    /// How long the feed asks to wait before the next request, seconds.
    public var retryAfterSeconds: Double? {
        guard case .status(_, _, let seconds) = self else { return nil }
        return seconds
    }

    /// What to do about it, as a sentence.
    public var recovery: String {
        switch self {
        case .unreachable, .timedOut: "Check the network; it is tried again."
        case .status(_, 401, _), .status(_, 403, _): "Check the token or key of the feed."
        case .status(_, 404, _), .address, .redirects: "Check the address of the feed."
        case .status(_, 429, _): "Ask less often, or with a token of your own."
        case .declined(_, let code, _) where code < 500: "Check the address and the request."
        case .status, .declined: "Nothing has to be done; the server is expected back."
        case .tooLarge: "Check that the address is that of this feed."
        case .refused: "Nothing has to be done unless it stays; then the feed has changed its form."
        case .failed: "See the message of the feed."
        }
    }

    /// A short name for metrics and logs.
    public var label: String {
        switch self {
        case .unreachable: "unreachable"
        case .timedOut: "timed_out"
        case .status(_, let code, _): "status_\(code)"
        case .declined(_, let code, _): "status_\(code)"
        case .tooLarge: "too_large"
        case .redirects: "redirects"
        case .refused: "refused"
        case .failed: "failed"
        case .address: "address"
        }
    }

    /// The feed, what is wrong and what to do.
    public var description: String { description(of: .feed) }

    /// What answers at the other end.
    package enum Source: String, Sendable {
        case feed
        case routeServer = "route server"
    }

    /// The feed, what is wrong and what to do.
    package func description(of source: Source) -> String {
        switch self {
        case .unreachable(let url, let reason):
            "\(url): cannot be reached (\(reason)); check the address and the network"
        case .timedOut(let url, let seconds):
            "\(url): no complete answer in \(Int(seconds)) s; try again later"
        case .status(let url, 401, _), .status(let url, 403, _):
            "\(url): not allowed (HTTP 401 or 403); check the token"
        case .status(let url, 404, _):
            "\(url): there is no such \(source.rawValue) (HTTP 404); check the address"
        case .status(let url, 429, let seconds):
            "\(url): too many requests (HTTP 429)"
                + (seconds.map {
                    "; it asks to wait \(String(format: "%.0f", $0.rounded(.up))) s"
                } ?? "")
                + "; ask less often, or with an app token if the \(source.rawValue) accepts one"
        case .status(let url, let code, _): "\(url): HTTP status \(code); try again later"
        case .declined(let url, let code, let reason):
            "\(url): the server says: \(printable(reason, maxLength: 200)) (HTTP \(code)); "
                + (code >= 500
                    ? "try again later"
                    : source.advice)
        case .tooLarge(let url, let limit):
            "\(url): more than \(limit) bytes, too long for an answer of a \(source.rawValue); not used"
        case .redirects(let url): "\(url): redirects in a circle or too often; check the address"
        case .address(let url):
            "'\(printable(url))' is not an address of a \(source.rawValue); write https://host/path"
        case .refused(let url, let reason): "\(url): \(reason); not used"
        case .failed(let feed, let reason): "\(feed): \(reason)"
        }
    }

    /// What is wrong, without an address, a path or a message of others.
    package var publicDescription: String {
        switch self {
        case .unreachable: "it cannot be reached"
        case .timedOut(_, let seconds): "no complete answer in \(Int(seconds)) s"
        case .status(_, let code, _): "it answered with HTTP status \(code)"
        case .declined(_, let code, _): "it declined to answer (HTTP \(code))"
        case .tooLarge: "its answer is too large"
        case .redirects: "it redirects in a circle or too often"
        case .address: "its address is not valid"
        case .refused: "its answer is not valid"
        case .failed: "it failed"
        }
    }

    /// As ``publicDescription``, of any error that a feed threw.
    package static func publicDescription(of error: any Error) -> String {
        if let error = error as? FeedError { return error.publicDescription }
        return switch (error as? any Failure)?.kind {
        case .missing: "there is no file"
        case .data: "its content is not valid"
        case .io: "it cannot be read"
        default: "it failed"
        }
    }
}

extension FeedError.Source {
    /// What to do when it declines a request.
    fileprivate var advice: String {
        switch self {
        case .feed: "check the address, and the token if there is one"
        case .routeServer: "check that its map holds the trip, and its address"
        }
    }
}
