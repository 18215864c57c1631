// What can go wrong between a feed and us, told by feed and cause; retries follow from the cause.
public import BridgecastCore
internal import Foundation

/// Why a feed gave nothing that can be used.
public enum FeedError: Failure, Equatable {
    /// No connection, or it broke.
    case unreachable(url: String, reason: String)
    /// No answer, or not all of it, in time.
    case timedOut(url: String, seconds: Double)
    /// An HTTP status that is no success.
    case status(url: String, code: Int, retryAfterSeconds: Double?)
    /// A refusal in the server's own words.
    case declined(url: String, code: Int, reason: String)
    /// More bytes than such a reply can have, packed or unpacked.
    case tooLarge(url: String, limitBytes: Int)
    /// It redirects in a circle, too often, or to somewhere that is no HTTP.
    case redirects(url: String)
    /// Not an address that can be asked.
    case address(url: String)
    /// An answer that is not what the feed should say.
    case refused(url: String, reason: String)
    /// A feed of somebody else's failed in its own way.
    case failed(feed: String, reason: String)

    /// What a feed's error comes to, whatever it throws.
    ///
    /// - Throws: `CancellationError` if the error is one.
    package init(_ error: any Error, feed: String) throws(CancellationError) {
        switch error {
        case let error as FeedError: self = error
        case let error as CancellationError: throw error
        default: self = .failed(feed: feed, reason: printable("\(error)", most: 300))
        }
    }

    /// Reading failed if asking again may help; else the answer is not what it should be.
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

    /// How long the feed asks to be left alone, seconds.
    public var retryAfterSeconds: Double? {
        guard case .status(_, _, let seconds) = self else { return nil }
        return seconds
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
    public var description: String { words(of: "feed") }

    /// What is wrong and what to do, for somebody to whom the feed is something else.
    ///
    /// - Parameter kind: What it is called.
    package func words(of kind: String) -> String {
        switch self {
        case .unreachable(let url, let reason):
            "\(url): cannot be reached (\(reason)); check the address and the network"
        case .timedOut(let url, let seconds):
            "\(url): no complete answer in \(Int(seconds)) s; try again later"
        case .status(let url, 401, _), .status(let url, 403, _):
            "\(url): not allowed (HTTP 401 or 403); check the token"
        case .status(let url, 404, _):
            "\(url): there is no such \(kind) (HTTP 404); check the address"
        case .status(let url, 429, let seconds):
            "\(url): too many requests (HTTP 429)"
                + (seconds.map {
                    "; it asks for \(String(format: "%.0f", $0.rounded(.up))) s of rest"
                } ?? "")
                + "; ask less often, or with an app token if the \(kind) accepts one"
        case .status(let url, let code, _): "\(url): HTTP status \(code); try again later"
        case .declined(let url, let code, let reason):
            "\(url): the server says: \(printable(reason, most: 200)) (HTTP \(code)); "
                + (code >= 500
                    ? "try again later" : "check that its map holds the trip, and its address")
        case .tooLarge(let url, let limit):
            "\(url): more than \(limit) bytes, which no honest answer of this \(kind) has; not used"
        case .redirects(let url): "\(url): redirects in a circle or too often; check the address"
        case .address(let url):
            "'\(printable(url))' is no address of a \(kind); write https://host/path"
        case .refused(let url, let reason): "\(url): \(reason); not used"
        case .failed(let feed, let reason): "\(feed): \(reason)"
        }
    }
}
