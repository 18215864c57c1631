// A small application with the guard, and a client that sends raw bytes.
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

@testable import BridgecastService

/// Runs an application of four paths with the guard.
enum GuardedServer {
    /// Runs a body with the port of a server with these settings, and what it counts.
    ///
    /// `/echo` answers the bytes of the body, `/large` 64 MiB, `/drip` a stream, all else its path.
    static func run<Result: Sendable>(
        _ change: (inout ServiceSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (Int, ConnectionCounts) async throws -> Result
    ) async throws -> Result {
        try await runUntilStopped(change) { port, counts, _ in try await body(port, counts) }
    }

    /// The same; the body is also given what stops the server as a signal does, and waits until it has stopped.
    static func runUntilStopped<Result: Sendable>(
        _ change: (inout ServiceSettings) -> Void = { _ in },
        _ body:
            @escaping @Sendable (
                Int, ConnectionCounts, _ stop: @escaping @Sendable () async -> Void
            ) async throws -> Result
    ) async throws -> Result {
        var settings = ServiceSettings()
        // Long enough for a machine on which everything else is tested at the same time.
        settings.headerSeconds = 60
        settings.bodySeconds = 60
        settings.answerSeconds = 60
        change(&settings)
        let counts = ConnectionCounts(settings)
        let (ports, source) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "guard")
        logger.logLevel = .critical
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in
                try await answer(request)
            },
            server: GuardedHTTP1Channel.builder(
                settings, trust: try ProxyTrust(settings), counts: counts),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in source.yield(channel.localAddress?.port ?? 0) },
            logger: logger)
        let services = ServiceGroup(services: [application], logger: logger)
        let running = Task { try await services.run() }
        var iterator = ports.makeAsyncIterator()
        let port = await iterator.next() ?? 0
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(
                try await body(port, counts) {
                    await services.triggerGracefulShutdown()
                    _ = await running.result
                })
        } catch {
            outcome = .failure(error)
        }
        running.cancel()
        _ = await running.result
        return try outcome.get()
    }

    private static func answer(_ request: Request) async throws -> Response {
        switch request.uri.path {
        case "/echo":
            let bytes = try await request.body.collect(upTo: 1 << 24)
            return Response(status: .ok, body: .init(byteBuffer: bytes))
        case "/ignore":
            return Response(
                status: .notFound, headers: [.connection: "close"], body: text("nothing here"))
        case "/large":
            return Response(
                status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 65, count: 64 << 20)))
        case "/drip":
            return Response(
                status: .ok,
                body: .init { writer in
                    for word in ["one ", "two ", "three"] {
                        try await writer.write(ByteBuffer(string: word))
                    }
                    try await writer.finish(nil)
                })
        default:
            let shown = request.method == .head ? "" : request.uri.path
            return Response(status: .ok, body: text(shown))
        }
    }

    private static func text(_ text: String) -> ResponseBody {
        .init(byteBuffer: ByteBuffer(string: text))
    }
}

/// What a raw client got.
struct RawReply: Sendable {
    var text = ""
    var isClosed = false

    /// Status codes of all answers, in order.
    var statuses: [Int] {
        text.components(separatedBy: "HTTP/1.").dropFirst().compactMap { part in
            Int(part.dropFirst(2).prefix(3))
        }
    }
}

/// A client that sends given bytes.
enum RawClient {
    /// Sends pieces with a pause after each, then reads until the server closes, or has sent the given number of answers.
    ///
    /// - Parameter answers: Nil to read until the end; a read ends after a minute in any case.
    static func talk(
        _ port: Int, _ pieces: [String], pause: Double = 0, answers: Int? = nil,
        halfCloses: Bool = false, readPause: Double = 0
    ) async throws -> RawReply {
        // Blocking calls are made outside of the tasks' threads, of which there are few.
        try await NIOThreadPool.singleton.runIfActive {
            let socket = try Socket(port: port)
            defer { socket.close() }
            for piece in pieces {
                guard socket.send(Array(piece.utf8)) else { break }
                if pause > 0 { Thread.sleep(forTimeInterval: pause) }
            }
            if halfCloses { socket.endSending() }
            if readPause > 0 { Thread.sleep(forTimeInterval: readPause) }
            var reply = RawReply()
            while answers.map({ reply.statuses.count < $0 }) ?? true {
                guard let bytes = socket.receive() else { break }
                reply.isClosed = bytes.isEmpty
                if bytes.isEmpty { break }
                reply.text += String(decoding: bytes, as: UTF8.self)
            }
            return reply
        }
    }

    /// A blocking socket.
    struct Socket {
        private let descriptor: Int32

        init(port: Int) throws {
            descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
            let result = unsafe address.withSockAddr { address, size in
                unsafe connect(descriptor, address, socklen_t(size))
            }
            guard result == 0 else { throw IOError(errnoCode: errno, reason: "connect") }
        }

        /// Sends all; false if the server closed.
        func send(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// What came; empty at the end, nil if nothing came in time.
        func receive() -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            if count < 0 { return errno == ECONNRESET ? [] : nil }
            return Array(bytes.prefix(count))
        }

        func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }
        func close() { Glibc.close(descriptor) }
    }
}
