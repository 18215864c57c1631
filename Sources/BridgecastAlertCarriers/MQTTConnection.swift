// A connection to a broker of MQTT 3.1.1 by libmosquitto, driven by one thread; it never sends anything a second time.
internal import BridgecastAlerts
private import CMosquitto
private import Foundation
internal import Glibc
private import Synchronization

/// A message for a topic.
struct MQTTPublication: Sendable {
    let topic: String
    let content: [UInt8]
    /// Whether the broker keeps it for those who subscribe later.
    let isRetained: Bool
}

/// What an attempt to publish came to.
enum MQTTResult: Sendable, Equatable {
    /// The broker has acknowledged everything.
    case acknowledged
    /// Nothing was sent.
    case unsent(reason: String)
    /// Something was sent and not acknowledged.
    case unacknowledged(reason: String)
}

/// A connection that lasts until it breaks; then another one is made.
///
/// libmosquitto would send what was not acknowledged again when it reconnects, so it is not allowed to reconnect.
///
/// - Important: `@unchecked Sendable`: the client is created and used by one thread of its own, which also runs its callbacks;
///   other threads only exchange jobs with it through a lock.
@safe final class MQTTConnection: @unchecked Sendable {
    /// How a broker is reached.
    struct Settings: Sendable {
        let broker: MQTTBroker
        /// The broker's address in digits.
        let address: String
        let clientID: String
        /// What the broker publishes when the connection breaks.
        let will: MQTTPublication
        /// Published first of all.
        let greeting: [MQTTPublication]
        /// Published before the connection is closed.
        let farewell: MQTTPublication
    }

    private struct Job {
        let publications: [MQTTPublication]
        let deadline: ContinuousClock.Instant
        let resume: @Sendable (MQTTResult) -> Void
        /// The numbers of messages that are not acknowledged yet; nil before they are sent.
        var pending: Set<Int32>?
    }

    private struct State {
        var waiting: [Job] = []
        var isClosing = false
        var isOver = false
    }

    private let settings: Settings
    private let state = Mutex(State())
    // Of the thread alone.
    private var jobs: [Job] = []
    private var acknowledged: Set<Int32> = []
    /// Nil before the broker has answered; 0 if it accepted.
    private var connectionCode: Int32?

    private static let isReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue
    private static let keepAliveSeconds: Int32 = 30
    private static let loopMilliseconds: Int32 = 100
    /// At least once: the broker acknowledges.
    private static let quality: Int32 = 1

    /// Begins to connect.
    init(_ settings: Settings) {
        self.settings = settings
        Thread.detachNewThread { [self] in run() }
    }

    /// Whether the connection has ended; then another one is needed.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Publishes and waits for all acknowledgements.
    func publish(_ publications: [MQTTPublication], timeoutSeconds: Double) async -> MQTTResult {
        await withCheckedContinuation { continuation in
            let job = Job(
                publications: publications, deadline: .now + .seconds(timeoutSeconds),
                resume: { continuation.resume(returning: $0) }, pending: nil)
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting.append(job) }
                return state.isOver
            }
            if isOver { job.resume(.unsent(reason: "the connection has ended")) }
        }
    }

    /// Says farewell and closes the connection.
    func close() { state.withLock { $0.isClosing = true } }

    // MARK: The thread

    private func run() {
        // Safe: the object outlives its client, which is destroyed before this function returns.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard Self.isReady, let client = unsafe mosquitto_new(settings.clientID, true, context)
        else { return end(reason: "no memory for a connection") }
        defer { unsafe mosquitto_destroy(client) }
        unsafe mosquitto_connect_callback_set(client) { _, context, code in
            unsafe MQTTConnection.of(context)?.connectionCode = code
        }
        unsafe mosquitto_publish_callback_set(client) { _, context, number in
            unsafe _ = MQTTConnection.of(context)?.acknowledged.insert(number)
        }
        let reason = unsafe drive(client)
        end(reason: reason)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MQTTConnection? {
        unsafe context.map {
            unsafe Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Connects and serves jobs until the connection ends; returns why.
    private func drive(_ client: OpaquePointer) -> String {
        let broker = settings.broker
        if let user = broker.user {
            unsafe mosquitto_username_pw_set(client, user, broker.password)
        }
        let will = settings.will
        unsafe mosquitto_will_set(
            client, will.topic, Int32(will.content.count), will.content, Self.quality,
            will.isRetained)
        let code = unsafe mosquitto_connect(
            client, settings.address, Int32(broker.port), Self.keepAliveSeconds)
        guard code == MOSQ_ERR_SUCCESS.rawValue else { return Self.text(code) }
        while true {
            let code = unsafe mosquitto_loop(client, Self.loopMilliseconds, 1)
            guard code == MOSQ_ERR_SUCCESS.rawValue else { return Self.text(code) }
            if let refusal = connectionCode, refusal != 0 {
                return
                    "the broker refused: \(unsafe String(cString: mosquitto_connack_string(refusal)))"
            }
            if connectionCode == 0 { unsafe greet(client) }
            if unsafe serve(client) { return "closed" }
        }
    }

    private var hasGreeted = false

    private func greet(_ client: OpaquePointer) {
        guard !hasGreeted else { return }
        hasGreeted = true
        for publication in settings.greeting { _ = unsafe send(publication, by: client) }
    }

    /// The number of a message that was handed to the library; nil if it was not.
    private func send(_ publication: MQTTPublication, by client: OpaquePointer) -> Int32? {
        var number: Int32 = 0
        let code = unsafe mosquitto_publish(
            client, &number, publication.topic, Int32(publication.content.count),
            publication.content, Self.quality, publication.isRetained)
        return code == MOSQ_ERR_SUCCESS.rawValue ? number : nil
    }

    /// Sends new jobs and ends those that are acknowledged or late; returns whether to stop.
    private func serve(_ client: OpaquePointer) -> Bool {
        let (new, isClosing) = state.withLock { state in
            defer { state.waiting = [] }
            return (state.waiting, state.isClosing)
        }
        jobs += new
        for index in jobs.indices where jobs[index].pending == nil && connectionCode == 0 {
            let numbers = jobs[index].publications.compactMap { unsafe send($0, by: client) }
            jobs[index].pending = Set(numbers)
        }
        for index in jobs.indices { jobs[index].pending?.subtract(acknowledged) }
        let now = ContinuousClock.now
        for job in jobs {
            if job.pending?.isEmpty == true {
                job.resume(.acknowledged)
            } else if job.deadline <= now {
                job.resume(Self.failure(of: job, reason: "timed out"))
            }
        }
        jobs.removeAll { $0.pending?.isEmpty == true || $0.deadline <= now }
        if jobs.isEmpty { acknowledged = [] }
        guard isClosing, jobs.isEmpty else { return false }
        if connectionCode == 0 {
            _ = unsafe send(settings.farewell, by: client)
            unsafe mosquitto_loop(client, Self.loopMilliseconds, 1)
            unsafe mosquitto_disconnect(client)
        }
        return true
    }

    private func end(reason: String) {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in jobs + waiting { job.resume(Self.failure(of: job, reason: reason)) }
        jobs = []
    }

    private static func failure(of job: Job, reason: String) -> MQTTResult {
        job.pending == nil ? .unsent(reason: reason) : .unacknowledged(reason: reason)
    }

    private static func text(_ code: Int32) -> String {
        unsafe String(cString: mosquitto_strerror(code)).lowercased().trimmingCharacters(
            in: CharacterSet(charactersIn: ". "))
    }
}

/// The addresses of a host, in digits.
enum HostAddresses {
    /// The first allowed address; nil if there is none, with whether the name has any.
    static func first(
        of host: String, allowedBy reach: NetworkReach
    ) -> (address: String?, isKnown: Bool) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        // Safe: the list is only read until it is freed.
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return (nil, false) }
        defer { unsafe freeaddrinfo(list) }
        var entry = unsafe list
        while let current = unsafe entry {
            if let address = unsafe current.pointee.ai_addr {
                let bytes = unsafe OwnAddresses.bytes(of: address)
                if reach.allows(bytes), let text = text(of: bytes) { return (text, true) }
            }
            unsafe entry = current.pointee.ai_next
        }
        return (nil, true)
    }

    private static func text(of bytes: [UInt8]) -> String? {
        guard [4, 16].contains(bytes.count) else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // Safe: the buffer is as long as any address in digits, and the bytes are those of their family.
        let result = unsafe inet_ntop(
            bytes.count == 4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count))
        guard unsafe result != nil else { return nil }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
