// One HTTP request and its answer, through libcurl: whole, unpacked, of limited size, and not redirected.
private import BridgecastSupport
private import CCurl
package import Foundation
private import Synchronization

/// A request: with a body its method is POST, else GET.
package struct HTTPCall: Sendable {
    package var url: URL
    /// Header fields by name.
    package var fields: [String: String] = [:]
    /// The limit on the unpacked bytes of the answer.
    package var maxBytes: Int
    /// What is sent; nil for GET.
    package var body: [UInt8]?
    /// Whether an address may be connected to, 4 or 16 bytes in network order; nil if all may.
    ///
    /// It is asked for the very address of each connection, whatever a name meant before. Such a call uses no proxy and a
    /// connection of its own.
    package var isAllowed: (@Sendable (_ address: [UInt8]) -> Bool)?

    package init(url: URL, maxBytes: Int) {
        self.url = url
        self.maxBytes = maxBytes
    }
}

/// A complete answer with any status.
package struct HTTPAnswer: Sendable {
    package var code = 0
    /// The unpacked content.
    package var body: [UInt8] = []
    /// By name in lower case; of a repeated field the first.
    fileprivate var fields: [String: String] = [:]
    /// Whether the content went on after the limit.
    fileprivate var isCut = false

    /// The value of a header field; nil if the answer does not have it.
    package func field(_ name: String) -> String? { fields[name.lowercased()] }
}

/// What came of a request that is sent once.
package enum HTTPExchange: Sendable {
    /// An answer; its body may be cut at the limit.
    case answered(HTTPAnswer)
    /// Nothing of the request was sent.
    case unsent(HTTPFailure)
    /// The request was sent, at least in part, and there is no answer.
    case unanswered(HTTPFailure)
}

/// Why there is no complete answer.
package enum HTTPFailure: Error, Equatable {
    case tooLarge
    /// The address is not one that may be connected to.
    case forbidden
    /// The task was cancelled.
    case cancelled
    case timedOut
    /// Not an address that can be requested.
    case address
    case unreachable(reason: String)

    /// - Parameter detail: libcurl's own words.
    fileprivate init(_ result: CURLcode, detail: String) {
        switch result {
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: self = .address
        case CURLE_COULDNT_RESOLVE_HOST: self = .unreachable(reason: "no such host")
        case CURLE_PEER_FAILED_VERIFICATION:
            self = .unreachable(reason: Self.certificateProblem(detail))
        case CURLE_SSL_CACERT_BADFILE:
            self = .unreachable(
                reason: "this machine has no list of trusted certificates; install ca-certificates")
        case CURLE_SSL_CONNECT_ERROR:
            self = .unreachable(reason: "no TLS connection; is the address one of http?")
        default:
            let text = unsafe String(cString: curl_easy_strerror(result))
            self = .unreachable(reason: printable(text, maxLength: 200))
        }
    }

    /// What is wrong with a server's certificate, by the words of OpenSSL or GnuTLS, which have no codes in common.
    static func certificateProblem(_ detail: String) -> String {
        let detail = detail.lowercased()
        func says(_ words: String...) -> Bool { words.contains { detail.contains($0) } }
        if says("expired", "expiration date") { return "its certificate has expired" }
        if says("not yet valid", "activation date", "not activated") {
            return "its certificate is not valid yet; is this machine's clock right?"
        }
        if says("host name", "hostname", "subject name") {
            return "its certificate is for another host"
        }
        return "its certificate is not trusted"
    }
}

/// Sends requests over connections that are kept for the next one.
///
/// Each request under way has a thread of its own, which waits for the network.
package final class HTTPTransport: Sendable {
    private struct Idle {
        var connections: [HTTPConnection] = []
        var isClosed = false
    }

    private let idle = Mutex(Idle())

    package init() {}

    /// Closes all connections, those in use when their requests end.
    package func close() {
        idle.withLock { idle in
            idle.isClosed = true
            idle.connections.removeAll()
        }
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Throws: ``HTTPFailure``; `CancellationError` if the task is cancelled.
    func send(_ call: HTTPCall, timeoutSeconds: Double) async throws -> HTTPAnswer {
        let exchange = await exchange(call, timeoutSeconds: timeoutSeconds)
        try Task.checkCancellation()
        switch exchange {
        case .answered(let answer) where answer.isCut: throw HTTPFailure.tooLarge
        case .answered(let answer): return answer
        case .unsent(let failure), .unanswered(let failure): throw failure
        }
    }

    /// Sends a request once, and says whether it may have arrived.
    package func exchange(_ call: HTTPCall, timeoutSeconds: Double) async -> HTTPExchange {
        let kept = idle.withLock { $0.connections.popLast() }
        guard let connection = kept ?? HTTPConnection() else {
            return .unsent(.unreachable(reason: "no memory for a connection"))
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Not a queue's, which may all be busy with computing.
                Thread.detachNewThread {
                    continuation.resume(
                        returning: connection.send(call, timeoutSeconds: timeoutSeconds))
                }
            }
        } onCancel: {
            connection.cancel()
        }
        // A connection that was told to end is not used again.
        if !Task.isCancelled {
            idle.withLock { if !$0.isClosed { $0.connections.append(connection) } }
        }
        return result
    }
}

/// A libcurl handle with its connections, used by one request at a time.
///
/// - Important: `@unchecked Sendable`: ``HTTPTransport`` lends it to one request at a time, through a lock, so that one
///   thread after the other uses the handles. From other threads only ``cancel()`` is called, which sets an atomic flag
///   and calls `curl_multi_wakeup`, the one function of a handle that libcurl allows from any thread.
@safe private final class HTTPConnection: @unchecked Sendable {
    private let multi: OpaquePointer
    private let easy: OpaquePointer
    /// Where libcurl writes what went wrong.
    private let problem: UnsafeMutablePointer<CChar>
    private let isCancelled = Atomic(false)

    /// libcurl must be initialised once.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    private static let connectMilliseconds = 10_000
    /// How long the thread sleeps if nothing comes.
    private static let pollMilliseconds: Int32 = 1000

    /// Creates a connection; nil if there is no memory for it.
    init?() {
        guard Self.isReady, let easy = unsafe curl_easy_init() else { return nil }
        guard let multi = unsafe curl_multi_init() else {
            unsafe curl_easy_cleanup(easy)
            return nil
        }
        unsafe self.multi = multi
        unsafe self.easy = easy
        unsafe problem = .allocate(capacity: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        _ = unsafe curl_multi_cleanup(multi)
        unsafe problem.deallocate()
    }

    /// Ends the request that is under way, or the next.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        _ = unsafe curl_multi_wakeup(multi)
    }

    /// Sends a request and waits, up to its limit of time.
    func send(_ call: HTTPCall, timeoutSeconds: Double) -> HTTPExchange {
        let reception = HTTPReception(maxBytes: call.maxBytes, isAllowed: call.isAllowed)
        var list: UnsafeMutablePointer<curl_slist>?
        for (name, value) in call.fields.sorted(by: { $0.key < $1.key }) {
            unsafe list = curl_slist_append(list, "\(name): \(value)")
        }
        defer { unsafe curl_slist_free_all(list) }
        unsafe curl_easy_reset(easy)
        set(CURLOPT_URL, call.url.absoluteString)
        // Whatever libcurl can unpack.
        set(CURLOPT_ACCEPT_ENCODING, "")
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, Self.connectMilliseconds)
        set(CURLOPT_TIMEOUT_MS, max(1, Int(timeoutSeconds * 1000)))
        unsafe problem.pointee = 0
        _ = unsafe bridgecast_curl_set_error_buffer(easy, problem)
        _ = unsafe bridgecast_curl_set_list(easy, CURLOPT_HTTPHEADER, list)
        return withExtendedLifetime(reception) {
            let context = unsafe Unmanaged.passUnretained(reception).toOpaque()
            unsafe bridgecast_curl_set_callbacks(
                easy, HTTPReception.takeField, HTTPReception.takeContent, context)
            if call.isAllowed != nil {
                useOwnConnection()
                unsafe bridgecast_curl_set_socket_callback(
                    easy, HTTPReception.openSocket, context)
            }
            // Safe: the bytes live until the transfer is over.
            return unsafe (call.body ?? []).withUnsafeBytes { bytes in
                if call.body != nil {
                    unsafe bridgecast_curl_set_body(
                        easy, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
                }
                return exchange(into: reception)
            }
        }
    }

    /// No proxy, which would be what is connected to; and no kept connection: on one that turns out to be closed, libcurl
    /// would send the request again.
    private func useOwnConnection() {
        set(CURLOPT_PROXY, "")
        set(CURLOPT_FRESH_CONNECT, 1)
        set(CURLOPT_FORBID_REUSE, 1)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    }

    private func exchange(into reception: HTTPReception) -> HTTPExchange {
        do throws(HTTPFailure) {
            try perform(into: reception)
        } catch {
            let wasSent = unsafe bridgecast_curl_was_sent(easy) != 0
            return wasSent ? .unanswered(error) : .unsent(error)
        }
        reception.answer.code = unsafe Int(bridgecast_curl_status(easy))
        return .answered(reception.answer)
    }

    private func set(_ option: CURLoption, _ value: Int) {
        _ = unsafe bridgecast_curl_set_long(easy, option, value)
    }

    private func set(_ option: CURLoption, _ text: String) {
        _ = unsafe bridgecast_curl_set_text(easy, option, text)
    }

    private func perform(into reception: HTTPReception) throws(HTTPFailure) {
        _ = unsafe curl_multi_add_handle(multi, easy)
        defer { _ = unsafe curl_multi_remove_handle(multi, easy) }
        while true {
            guard !isCancelled.load(ordering: .acquiring) else { throw .cancelled }
            var running: Int32 = 0
            _ = unsafe curl_multi_perform(multi, &running)
            guard running > 0 else { break }
            _ = unsafe curl_multi_poll(multi, nil, 0, Self.pollMilliseconds, nil)
        }
        guard !reception.answer.isCut else { return }
        let result = CURLcode(rawValue: UInt32(bitPattern: unsafe bridgecast_curl_result(multi)))
        guard result == CURLE_OK else {
            if reception.wasForbidden { throw .forbidden }
            throw HTTPFailure(result, detail: unsafe String(cString: problem))
        }
    }
}

/// What comes in of an answer.
private final class HTTPReception {
    var answer = HTTPAnswer()
    private(set) var wasForbidden = false
    private let maxBytes: Int
    private let isAllowed: (@Sendable ([UInt8]) -> Bool)?

    init(maxBytes: Int, isAllowed: (@Sendable ([UInt8]) -> Bool)?) {
        self.maxBytes = maxBytes
        self.isAllowed = isAllowed
    }

    /// libcurl's callback for a line of the header; returns the bytes that it took.
    static let takeField: curl_write_callback = { bytes, size, count, context in
        let line = unsafe UnsafeBufferPointer(start: bytes, count: size * count)
        unsafe reception(context)?.take(
            field: String(decoding: UnsafeRawBufferPointer(line), as: UTF8.self))
        return size * count
    }

    /// libcurl's callback for unpacked content; fewer bytes than there are end the transfer.
    static let takeContent: curl_write_callback = { bytes, size, count, context in
        let content = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        return unsafe reception(context)?.take(content: content) ?? 0
    }

    /// libcurl's callback that opens a socket to an address; without one the connection fails.
    static let openSocket: curl_opensocket_callback = { context, _, address in
        guard let address = unsafe address, let reception = unsafe reception(context) else {
            return CURL_SOCKET_BAD
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe Int(bridgecast_curl_address(address, &bytes))
        guard reception.allows(Array(bytes.prefix(count))) else { return CURL_SOCKET_BAD }
        return unsafe bridgecast_curl_open_socket(address)
    }

    private func allows(_ address: [UInt8]) -> Bool {
        let isAllowed = !address.isEmpty && (isAllowed?(address) ?? true)
        if !isAllowed { wasForbidden = true }
        return isAllowed
    }

    private static func reception(_ context: UnsafeMutableRawPointer?) -> HTTPReception? {
        unsafe context.map { unsafe Unmanaged<HTTPReception>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(field line: String) {
        // Another answer begins, after one that says "continue".
        if line.hasPrefix("HTTP/") { answer.fields.removeAll() }
        guard let colon = line.firstIndex(of: ":") else { return }
        let name = line[..<colon].lowercased()
        let value = line[line.index(after: colon)...]
        if answer.fields[name] == nil {
            answer.fields[name] = value.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private func take(content: UnsafeRawBufferPointer) -> Int {
        answer.isCut = answer.body.count + content.count > maxBytes
        guard !answer.isCut else { return 0 }
        unsafe answer.body.append(contentsOf: content)
        return content.count
    }
}
