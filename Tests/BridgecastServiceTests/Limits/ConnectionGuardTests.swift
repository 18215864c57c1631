// Connections on a real socket: limits of size, time and number.
import Foundation
import NIOPosix
import Testing

@testable import BridgecastService

@Suite(.serialized) struct ConnectionGuardTests {
    private let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
    private let getAndClose = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    private func post(_ fields: String, path: String = "/echo") -> String {
        "POST \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n"
    }

    private func expectProblem(
        _ reply: RawReply, status: Int, code: String, _ comment: Comment? = nil
    ) {
        #expect(reply.statuses == [status], comment)
        #expect(reply.isClosed, comment)
        #expect(reply.text.contains("application/problem+json"), comment)
        #expect(reply.text.contains("\"code\":\"\(code)\""), comment)
        #expect(reply.text.lowercased().contains("connection: close"), comment)
    }

    @Test func connectionsOfAClientAreLimited() async throws {
        try await GuardedServer.run({ $0.maxConnectionsPerClient = 1 }) { port, counts in
            try await held(port) { expectProblem($0, status: 429, code: "too_many_requests") }
            await until { counts.count == 0 }
            #expect(try await RawClient.talk(port, [getAndClose]).statuses == [200])
        }
    }

    @Test func connectionsInAllAreLimited() async throws {
        try await GuardedServer.run({ $0.maxConnections = 1 }) { port, _ in
            try await held(port) {
                expectProblem($0, status: 503, code: "overloaded")
                #expect($0.text.contains("Retry-After: 1"))
            }
        }
    }

    @Test func aHeadThatDoesNotEndIsRefused() async throws {
        try await GuardedServer.run({ $0.headerSeconds = 0.2 }) { port, _ in
            let pieces = ["GET / HTTP/1.1\r\n", "Host: x\r\n", "A: b\r\n"]
            expectProblem(
                try await RawClient.talk(port, pieces, pause: 0.04), status: 408,
                code: "request_timeout")
        }
    }

    @Test func silentConnectionsAreClosed() async throws {
        try await GuardedServer.run({ $0.headerSeconds = 0.1 }) { port, counts in
            let fresh = try await RawClient.talk(port, [])
            #expect(fresh.isClosed && fresh.text.isEmpty)
            let used = try await RawClient.talk(port, [get])
            #expect(used.isClosed && used.statuses == [200])
            await until { counts.count == 0 }
        }
    }

    @Test func aBodyThatDoesNotEndIsRefused() async throws {
        try await GuardedServer.run({ $0.bodySeconds = 0.2 }) { port, _ in
            let byLength = [post("Content-Length: 100"), "a", "b"]
            expectProblem(
                try await RawClient.talk(port, byLength, pause: 0.04), status: 408,
                code: "request_timeout")
            let byChunks = [post("Transfer-Encoding: chunked"), "1\r\na\r\n"]
            expectProblem(
                try await RawClient.talk(port, byChunks, pause: 0.04), status: 408,
                code: "request_timeout")
        }
    }

    @Test func aClientThatStopsReadingIsDisconnected() async throws {
        try await GuardedServer.run({ $0.answerSeconds = 0.2 }) { port, counts in
            let request = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n"
            try await NIOThreadPool.singleton.runIfActive {
                let socket = try RawClient.Socket(port: port)
                defer { socket.close() }
                #expect(socket.send(Array(request.utf8)))
                let deadline = Date(timeIntervalSinceNow: 5)
                while counts.count == 0, Date() < deadline { Thread.sleep(forTimeInterval: 0.01) }
                #expect(counts.count > 0)
                while counts.count > 0, Date() < deadline { Thread.sleep(forTimeInterval: 0.01) }
                #expect(counts.count == 0)
            }
        }
    }

    @Test func aSlowReaderGetsTheWholeAnswer() async throws {
        try await GuardedServer.run({ $0.answerSeconds = 0.2 }) { port, _ in
            let request = "GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            let reply = try await RawClient.talk(port, [request], readPause: 0.1)
            #expect(reply.text.utf8.count > 64 << 20)
        }
    }

    @Test func longAddressesAreRefused() async throws {
        try await GuardedServer.run({ ($0.maxURLBytes, $0.maxHeaderBytes) = (1000, 2000) }) {
            port, _ in
            for count in [1001, 2500, 5000, 200_000] {
                let long =
                    "GET /\(String(repeating: "a", count: count)) HTTP/1.1\r\nHost: x\r\n\r\n"
                expectProblem(
                    try await RawClient.talk(port, [long]), status: 414, code: "url_too_long",
                    "\(count)")
            }
            let fits = "GET /\(String(repeating: "a", count: 990)) HTTP/1.1\r\nHost: x\r\n\r\n"
            #expect(try await RawClient.talk(port, [fits], answers: 1).statuses == [200])
        }
    }

    @Test func largeHeadersAreRefused() async throws {
        try await GuardedServer.run({ ($0.maxURLBytes, $0.maxHeaderBytes) = (1000, 2000) }) {
            port, _ in
            for count in [2001, 3500, 100_000] {
                let value = String(repeating: "a", count: count)
                let large = "GET / HTTP/1.1\r\nHost: x\r\nA: \(value)\r\n\r\n"
                expectProblem(
                    try await RawClient.talk(port, [large]), status: 431, code: "headers_too_large",
                    "\(count)")
            }
            let many = String(repeating: "A: b\r\n", count: 1000)
            let reply = try await RawClient.talk(port, ["GET / HTTP/1.1\r\nHost: x\r\n\(many)\r\n"])
            expectProblem(reply, status: 431, code: "headers_too_large")
        }
    }

    @Test func largeBodiesAreRefused() async throws {
        try await GuardedServer.run({ $0.maxBodyBytes = 1000 }) { port, _ in
            let byLength = [post("Content-Length: 1001"), String(repeating: "a", count: 1001)]
            expectProblem(
                try await RawClient.talk(port, byLength), status: 413, code: "body_too_large")
            let chunk = "190\r\n\(String(repeating: "a", count: 400))\r\n"
            let endless = [post("Transfer-Encoding: chunked")] + Array(repeating: chunk, count: 50)
            expectProblem(
                try await RawClient.talk(port, endless), status: 413, code: "body_too_large")
            let fits = post("Content-Length: 1000") + String(repeating: "a", count: 1000)
            #expect(try await RawClient.talk(port, [fits], answers: 1).statuses == [200])
        }
    }

    @Test func anAnswerBeforeTheBodyEndsTheConnection() async throws {
        try await GuardedServer.run { port, counts in
            let request = post("Content-Length: 1000000", path: "/ignore")
            let body = String(repeating: "a", count: 100_000)
            let reply = try await RawClient.talk(port, [request, body])
            #expect(reply.statuses == [404] && reply.isClosed)
            #expect(reply.text.contains("nothing here"))
            await until { counts.count == 0 }
        }
    }

    @Test func stoppingEndsSilentConnectionsAndFinishesAnswers() async throws {
        try await GuardedServer.runUntilStopped { port, counts, stop in
            async let silent = RawClient.talk(port, [])
            let request = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n"
            // The client reads only after the server was asked to stop.
            async let reading = RawClient.talk(port, [request], readPause: 0.1)
            while counts.count < 2 { await Task.yield() }
            try await Task.sleep(for: .milliseconds(50))
            await stop()
            #expect(try await silent.isClosed)
            let reply = try await reading
            #expect(reply.isClosed && reply.text.utf8.count > 64 << 20)
            await until { counts.count == 0 }
        }
    }

    @Test func aRequestAfterTheStopBeganIsAnsweredWithTheEndOfItsConnection() async throws {
        try await GuardedServer.runUntilStopped { port, counts, stop in
            let socket = try RawClient.Socket(port: port)
            defer { socket.close() }
            func ask() async throws -> String {
                try await NIOThreadPool.singleton.runIfActive {
                    _ = socket.send(Array("GET /a HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
                    return String(decoding: socket.receive() ?? [], as: UTF8.self)
                }
            }
            let before = try await ask()
            #expect(before.contains("200 OK") && !before.contains("Connection: close"))
            async let stopped: Void = stop()
            await until { counts.drainingSince != nil }
            // The connection was idle when the stop began.
            let after = try await ask()
            #expect(after.contains("200 OK") && after.contains("Connection: close"))
            let end = try await NIOThreadPool.singleton.runIfActive { socket.receive() }
            #expect(end == [])
            await stopped
        }
    }

    @Test func pipelinedRequestsAfterTheLastAnswerAreDropped() async throws {
        try await GuardedServer.run { port, counts in
            counts.beginDraining()
            // The second request arrives while the first answer is still being taken.
            let requests = [
                "GET /large HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a HTTP/1.1\r\nHost: x\r\n\r\n",
            ]
            let reply = try await RawClient.talk(port, requests, pause: 0.2)
            #expect(reply.statuses == [200] && reply.isClosed)
            #expect(reply.text.contains("Connection: close") && reply.text.utf8.count > 64 << 20)
        }
    }

    @Test(arguments: [true, false])
    func anAnswerThatIsTakenSlowlyArrivesWholeAtAStop(beginsBefore: Bool) async throws {
        try await GuardedServer.runUntilStopped { port, counts, stop in
            if !beginsBefore { counts.beginDraining() }
            let request = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n"
            // The client reads only after the time in which idle connections are closed.
            async let reading = RawClient.talk(port, [request], readPause: 1.5)
            await until { counts.count == 1 }
            try await Task.sleep(for: .milliseconds(100))
            await stop()
            let reply = try await reading
            #expect(reply.isClosed && reply.text.utf8.count > 64 << 20)
        }
    }

    /// Waits for what must come; a minute at most.
    private func until(_ condition: () -> Bool) async {
        let end = ContinuousClock.now + .seconds(60)
        while !condition(), ContinuousClock.now < end { await Task.yield() }
        #expect(condition())
    }

    /// Talks while another connection is open.
    private func held(_ port: Int, _ check: @Sendable @escaping (RawReply) -> Void) async throws {
        let socket = try RawClient.Socket(port: port)
        defer { socket.close() }
        let isAnswered = try await NIOThreadPool.singleton.runIfActive {
            socket.send(Array("GET /a HTTP/1.1\r\nHost: x\r\n\r\n".utf8)) && socket.receive() != nil
        }
        #expect(isAnswered)
        check(try await RawClient.talk(port, []))
    }
}
