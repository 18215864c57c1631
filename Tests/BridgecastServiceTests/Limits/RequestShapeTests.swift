// Malformed and unusual requests on a real socket: ambiguous ones are refused, the others answered.
import Foundation
import Testing

@testable import BridgecastService

@Suite(.serialized) struct RequestShapeTests {
    /// Each gets one answer of 400, and then the connection ends.
    private static let malformed: [String] = [
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nabcde",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5, 5\r\n\r\nabcde",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nabcde",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nabcde",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 0x5\r\n\r\nabcde",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\nabc",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\nabc\n0\n\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;x\nabc\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\r\nabc\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n A: b\r\n\r\n",
        "GET / HTTP/1.1\nHost: x\n\n",
        "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\u{0}c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA\u{0}: b\r\n\r\n",
        "GET /\u{0} HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        "GET / HTTP/0.9\r\n\r\n",
        "GET /\r\n\r\n",
        "get / HTTP/1.1\r\nHost: x\r\n\r\n",
        "FOO / HTTP/1.1\r\nHost: x\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\u{3}\u{3}",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\u{0}\u{0}\u{0}\u{0}",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab[end]",
    ]

    @Test func malformedRequestsGetOneAnswerAndAreDisconnected() async throws {
        try await GuardedServer.run { port, counts in
            for text in Self.malformed {
                let isCut = text.hasSuffix("[end]")
                let sent = isCut ? String(text.dropLast(5)) : text
                let reply = try await RawClient.talk(port, [sent], halfCloses: isCut)
                #expect(reply.statuses == [400], "\(text.debugDescription): \(reply.text)")
                #expect(reply.isClosed, "\(text.debugDescription)")
                #expect(reply.text.contains("\"code\":\"bad_request\""))
            }
            while counts.count > 0 { await Task.yield() }
        }
    }

    @Test func aRefusalFollowsThePendingAnswers() async throws {
        try await GuardedServer.run { port, _ in
            let good = "GET /good HTTP/1.1\r\nHost: x\r\n\r\n"
            let bad = "GET /bad HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"
            for bad in [bad, "nonsense\r\n\r\n"] {
                let reply = try await RawClient.talk(port, [good + good + bad + good])
                #expect(reply.statuses == [200, 200, 400] && reply.isClosed)
            }
        }
    }

    @Test func requestsInOnePacketAreAnsweredInOrder() async throws {
        try await GuardedServer.run { port, _ in
            let requests = (0..<10).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }
            let reply = try await RawClient.talk(port, [requests.joined()], answers: 10)
            let paths = reply.text.components(separatedBy: "\r\n\r\n").dropFirst()
            #expect(paths.map { $0.prefix(2) } == (0..<10).map { "/\($0)" })
            #expect(!reply.isClosed)
            let last = "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            let closed = try await RawClient.talk(
                port, [requests.joined() + last + requests.joined()])
            #expect(closed.statuses.count == 11 && closed.isClosed)
        }
    }

    @Test func aRequestByteByByteIsAnswered() async throws {
        try await GuardedServer.run { port, _ in
            let text =
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            let pieces = text.map { String($0) }
            let reply = try await RawClient.talk(port, pieces, answers: 1)
            #expect(reply.statuses == [200] && reply.text.hasSuffix("abc"))
        }
    }

    @Test func http10ClientsAreAnsweredAndDisconnected() async throws {
        try await GuardedServer.run { port, _ in
            let plain = try await RawClient.talk(port, ["GET /a HTTP/1.0\r\n\r\n"])
            #expect(plain.statuses == [200] && plain.isClosed)
            let kept = "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
            let reply = try await RawClient.talk(port, [kept + kept], answers: 2)
            #expect(reply.statuses == [200, 200] && !reply.isClosed)
            #expect(reply.text.lowercased().contains("connection: keep-alive"))
            // They know no chunks: the end of a stream is the connection's.
            let dripped = try await RawClient.talk(
                port, ["GET /drip HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"])
            #expect(dripped.isClosed && dripped.text.hasSuffix("\r\n\r\none two three"))
        }
    }

    @Test func headRequestsAndClosingConnectionsAreServed() async throws {
        try await GuardedServer.run { port, _ in
            let reply = try await RawClient.talk(
                port, ["HEAD /a HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n"])
            #expect(reply.statuses == [200] && reply.isClosed && reply.text.hasSuffix("\r\n\r\n"))
            let half = try await RawClient.talk(
                port, ["GET /a HTTP/1.1\r\nHost: x\r\n\r\n"], halfCloses: true)
            #expect(half.statuses == [200] && half.isClosed)
        }
    }

    @Test func expectContinueIsAnswered() async throws {
        try await GuardedServer.run({ $0.maxBodyBytes = 1000 }) { port, _ in
            let ask = "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: "
            let reply = try await RawClient.talk(
                port, ["\(ask)3\r\n\r\n", "abc"], pause: 0.02, answers: 2)
            #expect(reply.statuses == [100, 200] && reply.text.hasSuffix("abc"))
            let refused = try await RawClient.talk(port, ["\(ask)1001\r\n\r\n"])
            #expect(refused.statuses == [413] && refused.isClosed)
        }
    }

    @Test func aRefusalOfAWholeRequestKeepsTheConnection() async throws {
        try await GuardedServer.run { port, _ in
            let request = "POST /ignore HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
            let reply = try await RawClient.talk(port, [request + request], answers: 2)
            #expect(reply.statuses == [404, 404] && !reply.isClosed)
            #expect(!reply.text.lowercased().contains("connection"))
        }
    }

    @Test func otherProtocolsAreRefused() async throws {
        try await GuardedServer.run { port, _ in
            let upgrade =
                "GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
            let reply = try await RawClient.talk(port, [upgrade])
            #expect(reply.statuses == [200] && reply.isClosed)
        }
    }
}
