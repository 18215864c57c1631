// HTTP towards the city's and the state's feeds: bounded in time, size and redirects; used by all feeds.
// Belongs here: all that talks to a network; not: what replies mean (BridgecastData).
private import AsyncHTTPClient
public import BridgecastCore
public import BridgecastData
private import Foundation
public import Logging
private import Metrics
private import NIOCore
private import NIOHTTP1
private import NIOHTTPCompression

/// Asks feeds.
///
/// Answers are complete or refused: a time limit on the whole, a limit on the bytes after unpacking,
/// five redirects at most and none in a circle. Call ``close()`` when done, or use ``with(clock:log:_:)``.
public final class FeedClient: Sendable {
    private let http: HTTPClient
    private let clock: any WallClock
    private let log: Logger

    /// Creates a client.
    ///
    /// - Parameter clock: Times the waits between attempts and stamps answers.
    public init(clock: any WallClock = SystemWallClock(), log: Logger) {
        var configuration = HTTPClient.Configuration()
        // Followed by us, who look at the address first.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(10)
        configuration.decompression = .enabled(limit: .size(Self.mostUnpackedBytes))
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        (self.clock, self.log) = (clock, log)
    }

    /// No answer of any feed is longer.
    private static let mostUnpackedBytes = 64 << 20

    /// Closes all connections; the client must not be used afterwards.
    public func close() async {
        try? await http.shutdown()
    }

    /// Does something with a client, which is closed afterwards whatever happens.
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

    /// Asks, again if that may help.
    ///
    /// - Parameter understand: Reads the content, nil where it has not changed; what it refuses counts as a
    ///   failure, because an answer may be spoilt on its way, or be a page about maintenance.
    /// - Throws: ``FeedError``; `CancellationError` if the task is cancelled.
    public func get<Content: Sendable>(
        _ request: FeedRequest, retrying policy: RetryPolicy,
        understand: @Sendable ([UInt8]?) throws(DocumentProblem) -> Content
    ) async throws -> (content: Content, reply: FeedReply) {
        var attempt = 1
        while true {
            do {
                let reply = try await once(request)
                let content: Content
                do throws(DocumentProblem) {
                    content = try understand(reply.body)
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
                    "feed asked again",
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
                // A limit on the whole: a reply that comes drop by drop is no reply.
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
        let body = try await response.body.collect(upTo: request.mostBytes)
        return FeedReply(
            body: code == 304 ? nil : Array(body.readableBytesView),
            etag: response.headers.first(name: "ETag"), receivedAt: clock.now)
    }

    /// A server's own words for what is no success, if it is one that has some; how often one may ask is told by the
    /// status alone.
    private func reason(
        of response: HTTPClientResponse, _ request: FeedRequest
    ) async throws -> String? {
        guard let refusal = request.refusal, response.status.code != 429 else { return nil }
        return refusal(
            Array(try await response.body.collect(upTo: request.mostBytes).readableBytesView))
    }

    private static let mostRedirects = 5

    /// The response behind redirects: five at most, none in a circle, and what is for this host only goes to no
    /// other.
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
                visited.count <= Self.mostRedirects + 1
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
