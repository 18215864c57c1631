// HTTP requests to feeds: bounded in time, size and redirects, and repeated where that may help.
private import AsyncHTTPClient
public import BridgecastCore
public import BridgecastData
public import BridgecastSupport
private import Foundation
public import Logging
private import Metrics
private import NIOCore
private import NIOHTTP1
private import NIOHTTPCompression

/// An HTTP client for feeds.
///
/// Answers are complete or refused: there is a limit on the total time, on the bytes after unpacking, and on redirects,
/// at most five and none in a circle. Call ``close()`` when done, or use ``with(clock:log:_:)``.
public final class FeedClient: Sendable {
    private let http: HTTPClient
    private let clock: any WallClock
    private let log: Logger

    /// Creates a client.
    ///
    /// - Parameter clock: Used for waits between attempts and for the times of answers.
    public init(clock: any WallClock = SystemWallClock(), log: Logger) {
        var configuration = HTTPClient.Configuration()
        // Followed by `followed`, which checks the address first.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(10)
        configuration.decompression = .enabled(limit: .size(Self.maxUnpackedBytes))
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.clock = clock
        self.log = log
    }

    /// No feed has longer answers.
    private static let maxUnpackedBytes = 64 << 20

    /// Closes all connections; the client must not be used afterwards.
    public func close() async {
        try? await http.shutdown()
    }

    /// Calls a closure with a client, which is closed afterwards in every case.
    public static func with<Result>(
        clock: any WallClock = SystemWallClock(), log: Logger,
        _ body: (FeedClient) async throws -> Result
    ) async throws -> Result {
        let client = FeedClient(clock: clock, log: log)
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
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
                let reply = try await once(request)
                let content: Content
                do throws(DocumentProblem) {
                    content = try parse(reply.body)
                } catch {
                    throw FeedError.refused(url: request.publicURL, reason: error.description)
                }
                count(
                    "bridgecast_feed_requests_total", request,
                    outcome: reply.body == nil ? "not_modified" : "ok")
                return (content, reply)
            } catch let error as FeedError {
                try Task.checkCancellation()
                count("bridgecast_feed_requests_total", request, outcome: error.label)
                let random = Double.random(in: 0..<1)
                guard let wait = policy.wait(after: error, attempt: attempt, random: random) else {
                    throw error
                }
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
        var call = HTTPClientRequest(url: request.url)
        call.headers.add(name: "User-Agent", value: "bridgecast/0.1")
        call.headers.add(name: "Accept", value: "application/json")
        for (name, value) in request.headers {
            call.headers.replaceOrAdd(name: name, value: value)
        }
        if let etag = request.etag { call.headers.add(name: "If-None-Match", value: etag) }
        do {
            return try await withThrowingTaskGroup(of: FeedReply.self) { [call] group in
                defer { group.cancelAll() }
                group.addTask { try await self.answer(call, request) }
                // A limit on the total time: a reply may come byte by byte.
                group.addTask {
                    try await Task.sleep(for: .seconds(request.timeoutSeconds))
                    throw FeedError.timedOut(
                        url: request.publicURL, seconds: request.timeoutSeconds)
                }
                guard let reply = try await group.next() else { throw CancellationError() }
                return reply
            }
        } catch let error as FeedError {
            throw error
        } catch {
            throw FeedError(transport: error, request)
        }
    }

    private func answer(
        _ call: HTTPClientRequest, _ request: FeedRequest
    ) async throws -> FeedReply {
        let deadline = NIODeadline.now() + .milliseconds(Int64(request.timeoutSeconds * 1000))
        let response = try await followed(call, request, until: deadline)
        let code = Int(response.status.code)
        guard code == 200 || code == 304 else {
            if let reason = try await reason(of: response, request) {
                throw FeedError.declined(url: request.publicURL, code: code, reason: reason)
            }
            throw FeedError.status(
                url: request.publicURL, code: code,
                retryAfterSeconds: RetryAfter.seconds(
                    response.headers.first(name: "Retry-After"), at: clock.now))
        }
        let body = try await response.body.collect(upTo: request.maxBytes)
        return FeedReply(
            body: code == 304 ? nil : Array(body.readableBytesView),
            etag: response.headers.first(name: "ETag"), receivedAt: clock.now)
    }

    /// The server's reason for a status other than success, if it states one; status 429 says enough.
    private func reason(
        of response: HTTPClientResponse, _ request: FeedRequest
    ) async throws -> String? {
        guard let refusal = request.refusal, response.status.code != 429 else { return nil }
        return refusal(
            Array(try await response.body.collect(upTo: request.maxBytes).readableBytesView))
    }

    private static let maxRedirects = 5

    /// Follows five redirects at most, none in a circle; other hosts do not get the own fields.
    private func followed(
        _ call: HTTPClientRequest, _ request: FeedRequest, until deadline: NIODeadline
    ) async throws -> HTTPClientResponse {
        var call = call
        var visited: Set<String> = [call.url]
        while true {
            let response = try await http.execute(call, deadline: deadline)
            guard [301, 302, 303, 307, 308].contains(response.status.code),
                let location = response.headers.first(name: "Location")
            else { return response }
            let base = URL(string: call.url)
            guard let next = URL(string: location, relativeTo: base)?.absoluteString,
                (try? FeedRequest.check(next)) != nil, visited.insert(next).inserted,
                visited.count <= Self.maxRedirects + 1
            else { throw FeedError.redirects(url: request.publicURL) }
            if URL(string: next)?.host != base?.host {
                for name in request.headers.keys { call.headers.remove(name: name) }
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
    /// Finds the server's reason in the body of an answer other than success; nil if there is none.
    var refusal: (@Sendable ([UInt8]) -> String?)?

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
    init(transport error: any Error, _ request: FeedRequest) {
        let url = request.publicURL
        switch error {
        case is NIOTooManyBytesError, is NIOHTTPDecompression.DecompressionError:
            self = .tooLarge(url: url, limitBytes: request.maxBytes)
        case let error as HTTPClientError: self.init(client: error, request)
        case let error as IOError:
            self = .unreachable(url: url, reason: unsafe String(cString: strerror(error.errnoCode)))
        default:
            // An unknown host or an error of connecting; the libraries have several types of them.
            let text = "\(error)"
            let isUnknown = text.contains("UnknownHost") || text.contains("DNS")
            self = .unreachable(url: url, reason: isUnknown ? "no such host" : text)
        }
    }

    private init(client error: HTTPClientError, _ request: FeedRequest) {
        switch error {
        case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .cancelled:
            self = .timedOut(url: request.publicURL, seconds: request.timeoutSeconds)
        case .emptyHost, .emptyScheme, .invalidURL: self = .address(url: request.publicURL)
        default: self = .unreachable(url: request.publicURL, reason: error.shortDescription)
        }
    }
}

/// The `Retry-After` field of a reply (RFC 9110, section 10.2.3).
enum RetryAfter {
    private static let maxSeconds = 3_600.0

    /// The seconds of a field that is a number or an HTTP date, at most an hour; nil if it is neither.
    static func seconds(_ field: String?, at now: Timestamp) -> Double? {
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
