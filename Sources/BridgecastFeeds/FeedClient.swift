// HTTP requests to feeds: bounded in time, size and redirects, and repeated where that may help.
public import BridgecastCore
public import BridgecastData
public import BridgecastSupport
private import Foundation
public import Logging
private import Metrics

/// An HTTP client for feeds.
///
/// Answers are complete or refused: there is a limit on the total time, on the bytes after unpacking, and on redirects,
/// at most five and none in a circle. Equal requests within half a second are one. Call ``close()`` when done, or use ``with(clock:log:_:)``.
public final class FeedClient: Sendable {
    private let http = HTTPTransport()
    private let shared: SharedRequests
    private let clock: any WallClock
    private let log: Logger

    /// Creates a client.
    ///
    /// - Parameter clock: Used for waits between attempts and for the times of answers.
    public init(clock: any WallClock = SystemWallClock(), log: Logger) {
        self.clock = clock
        self.log = log
        shared = SharedRequests { clock.monotonicSeconds }
    }

    /// Closes all connections; the client must not be used afterwards.
    public func close() { http.close() }

    /// Calls a closure with a client, which is closed afterwards in every case.
    public static func with<Result>(
        clock: any WallClock = SystemWallClock(), log: Logger,
        _ body: (FeedClient) async throws -> Result
    ) async throws -> Result {
        let client = FeedClient(clock: clock, log: log)
        defer { client.close() }
        return try await body(client)
    }

    /// Sends a request, repeatedly if that may help.
    ///
    /// - Parameter parse: Reads the content, nil if it has not changed. Content that it refuses counts as a failure,
    ///   because an answer may be damaged on its way, or be a page about maintenance.
    /// - Throws: ``FeedError``; `CancellationError` if the task is cancelled.
    public func get<Content: Sendable>(
        _ request: FeedRequest, retrying policy: RetryPolicy,
        parse: @Sendable ([UInt8]?) throws(DocumentProblem) -> Content
    ) async throws -> (content: Content, reply: FeedReply) {
        var attempt = 1
        while true {
            do {
                let (reply, isShared) = try await shared.reply(
                    to: request, isRepeated: attempt > 1
                ) {
                    try await self.once(request)
                }
                let content: Content
                do throws(DocumentProblem) {
                    content = try parse(reply.body)
                } catch {
                    throw FeedError.refused(url: request.publicURL, reason: error.description)
                }
                count(
                    "bridgecast_feed_requests_total", request,
                    outcome: isShared ? "shared" : reply.body == nil ? "not_modified" : "ok")
                if attempt > 1 {
                    count(
                        "bridgecast_feed_retries_total", request,
                        outcome: RecoveryResult.recovered.name)
                }
                return (content, reply)
            } catch let error as FeedError {
                try Task.checkCancellation()
                count("bridgecast_feed_requests_total", request, outcome: error.label)
                let random = Double.random(in: 0..<1)
                let result = policy.result(after: error, attempt: attempt, random: random)
                guard let wait = result.retrySeconds else { throw error }
                count("bridgecast_feed_retries_total", request, outcome: error.label)
                log.warning(
                    "feed request repeated",
                    metadata: [
                        "feed": "\(request.feed)", "attempt": "\(attempt)", "wait_s": "\(wait)",
                        "reason": "\(error)",
                    ])
                try await clock.sleep(seconds: wait)
                attempt += 1
            }
        }
    }

    private func once(_ request: FeedRequest) async throws -> FeedReply {
        guard let url = URL(string: request.url) else { throw FeedError.address(url: request.url) }
        var call = HTTPCall(url: url, maxBytes: request.maxBytes)
        call.fields = [
            "User-Agent": "bridgecast/\(BridgecastVersion.current)", "Accept": "application/json",
        ].merging(request.headers) { $1 }
        call.fields["If-None-Match"] = request.etag
        do {
            return try await answer(call, request)
        } catch let error as HTTPFailure {
            throw FeedError(error, request)
        }
    }

    private func answer(_ call: HTTPCall, _ request: FeedRequest) async throws -> FeedReply {
        let answer = try await followed(call, request)
        guard answer.code == 200 || answer.code == 304 else {
            // Status 429 says enough.
            if answer.code != 429, let reason = request.refusal?(answer.body) {
                throw FeedError.declined(
                    url: request.publicURL, code: answer.code, reason: reason)
            }
            throw FeedError.status(
                url: request.publicURL, code: answer.code,
                retryAfterSeconds: RetryAfter.seconds(answer.field("Retry-After"), at: clock.now))
        }
        return FeedReply(
            body: answer.code == 304 ? nil : answer.body, etag: answer.field("ETag"),
            receivedAt: clock.now)
    }

    private static let maxRedirects = 5

    /// Follows five redirects at most, none in a circle; other hosts do not get the own fields.
    private func followed(_ call: HTTPCall, _ request: FeedRequest) async throws -> HTTPAnswer {
        var call = call
        var visited: Set<String> = [call.url.absoluteString]
        let deadline = ContinuousClock.now + .seconds(request.timeoutSeconds)
        while true {
            let left = (deadline - .now) / .seconds(1)
            guard left > 0 else { throw HTTPFailure.timedOut }
            let answer = try await http.send(call, timeoutSeconds: left)
            guard [301, 302, 303, 307, 308].contains(answer.code),
                let location = answer.field("Location")
            else { return answer }
            guard let next = URL(string: location, relativeTo: call.url)?.absoluteURL,
                (try? FeedRequest.check(next.absoluteString)) != nil,
                visited.insert(next.absoluteString).inserted,
                visited.count <= Self.maxRedirects + 1
            else { throw FeedError.redirects(url: request.publicURL) }
            if next.host != call.url.host {
                for name in request.headers.keys { call.fields[name] = nil }
            }
            call.url = next
        }
    }

    private func count(_ label: String, _ request: FeedRequest, outcome: String) {
        Counter(label: label, dimensions: [("feed", request.feed), ("outcome", outcome)])
            .increment()
    }
}

/// A request to a feed.
public struct FeedRequest: Sendable {
    /// The feed's name in metrics and logs.
    public var feed: String
    /// The address.
    public var url: String
    /// Additional header fields.
    public var headers: [String: String] = [:]
    /// The ETag of content that need not be sent again.
    public var etag: String?
    /// The limit on the total time of an answer.
    public var timeoutSeconds = 10.0
    /// The limit on the unpacked bytes of an answer.
    public var maxBytes = 1 << 20
    /// Whether the reply to an equal request of the last half second will do: not where content is read again because it may
    /// have changed.
    public var takesRecentReply = true
    /// Finds the server's reason in the body of an answer other than success; nil if there is none.
    package var refusal: (@Sendable ([UInt8]) -> String?)?

    /// Creates a request.
    public init(feed: String, url: String) {
        self.feed = feed
        self.url = url
    }

    /// Throws ``FeedError/address(url:)`` unless an address is HTTP, with a host and a valid port.
    package static func check(_ address: String) throws(FeedError) {
        let url = URL(string: address)
        guard let url, let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host?.isEmpty == false, url.port.map({ (1...65_535).contains($0) }) ?? true
        else { throw .address(url: address) }
    }

    /// The address without its query and user, which may hold keys.
    package var publicURL: String { FeedAddress.shown(url) }
}

/// A feed's answer.
public struct FeedReply: Sendable {
    /// The content; nil if it is the same as that of the request's ETag (HTTP 304).
    public let body: [UInt8]?
    /// The content's ETag, if it has one.
    public let etag: String?
    /// When the answer was complete.
    public let receivedAt: Timestamp
}

extension FeedError {
    fileprivate init(_ failure: HTTPFailure, _ request: FeedRequest) {
        let url = request.publicURL
        switch failure {
        case .tooLarge: self = .tooLarge(url: url, limitBytes: request.maxBytes)
        case .timedOut: self = .timedOut(url: url, seconds: request.timeoutSeconds)
        case .address: self = .address(url: request.url)
        case .forbidden: self = .unreachable(url: url, reason: "its address is not allowed")
        case .cancelled: self = .unreachable(url: url, reason: "the request was cancelled")
        case .unreachable(let reason): self = .unreachable(url: url, reason: reason)
        }
    }
}

/// The `Retry-After` field of a reply (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Feeds are asked again after an hour at most.
    package static let defaultMaxSeconds = 3_600.0

    /// The seconds of a field that is a number or an HTTP date, up to a limit; nil if it is neither.
    package static func seconds(
        _ field: String?, at now: Timestamp, max maxSeconds: Double = defaultMaxSeconds
    ) -> Double? {
        field.flatMap { stated($0, now) }.map { min($0, maxSeconds) }
    }

    private static func stated(_ field: String, _ now: Timestamp) -> Double? {
        if let seconds = Double(field), seconds >= 0 { return seconds }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: field).map {
            max(0, $0.timeIntervalSince1970 - Double(now.secondsSinceEpoch))
        }
    }
}
