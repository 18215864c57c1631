// What a running program notes for `bridgecast doctor`: the last contact with each feed, and the last errors.
public import BridgecastCore
public import BridgecastSupport
internal import Dispatch
public import Foundation
private import Synchronization

/// The contents of a file of diagnostics.
public struct Diagnostics: Sendable, Codable, Equatable {
    /// An error that happened, once or several times in a row.
    public struct ErrorEntry: Sendable, Codable, Equatable {
        /// When it happened last, RFC 3339.
        public var at: String
        /// What failed, such as the name of a feed.
        public var source: String
        /// The kind of the error.
        public var kind: String
        /// What was wrong, without addresses, paths and what belongs to a person.
        public var message: String
        /// What to do about it.
        public var recovery: String
        /// What followed; see ``RecoveryResult/name``.
        public var result: String
        /// How often it happened in a row.
        public var count: Int
    }

    /// How a feed is doing.
    public struct FeedContact: Sendable, Codable, Equatable {
        /// The feed's name.
        public var id: String
        /// When it was asked last, RFC 3339.
        public var askedAt: String
        /// When it answered last, RFC 3339; nil if it never did.
        public var contactedAt: String?
        /// Whether it could be reached when it was asked last.
        public var isReachable: Bool
        /// What is wrong with it; nil if nothing is.
        public var problem: String?
        /// The condition of the network; see ``NetworkCondition``.
        public var condition: String
    }

    /// The newest first; at most ``maxErrors``.
    public var errors: [ErrorEntry] = []
    /// By name.
    public var feeds: [FeedContact] = []

    /// The number of errors that are kept.
    public static let maxErrors = 50

    /// Creates empty diagnostics.
    public init() {}

    fileprivate mutating func add(_ entry: ErrorEntry) {
        guard let index = errors.firstIndex(where: { $0.source == entry.source }),
            errors[index].isContinued(by: entry)
        else {
            errors = Array(([entry] + errors).prefix(Self.maxErrors))
            return
        }
        var last = errors.remove(at: index)
        last.add(entry)
        errors.insert(last, at: 0)
    }

    fileprivate mutating func noteRecovery(of source: String) {
        guard let index = errors.firstIndex(where: { $0.source == source }) else { return }
        errors[index].result = RecoveryResult.recovered.name
    }

    fileprivate mutating func set(_ contact: FeedContact) {
        let before = feeds.first { $0.id == contact.id }
        var contact = contact
        contact.contactedAt = contact.contactedAt ?? before?.contactedAt
        feeds.removeAll { $0.id == contact.id }
        feeds.append(contact)
        feeds.sort { $0.id < $1.id }
    }
}

extension Diagnostics.ErrorEntry {
    /// Whether a later error of the same source is the same one again.
    fileprivate func isContinued(by later: Self) -> Bool {
        kind == later.kind && message == later.message
            && (result != RecoveryResult.recovered.name || later.result == result)
    }

    fileprivate mutating func add(_ later: Self) {
        at = later.at
        result = later.result
        count += later.count
    }
}

/// What was noted and is not in the file yet.
private struct UnwrittenDiagnostics {
    private enum Event {
        case error(Diagnostics.ErrorEntry)
        case recovery(of: String)

        var source: String {
            switch self {
            case .error(let entry): entry.source
            case .recovery(let source): source
            }
        }
    }

    /// In order; repetitions of an error are one event.
    private var events: [Event] = []
    private var contacts: [String: Diagnostics.FeedContact] = [:]

    /// Older events are dropped: the file has no room for as many errors.
    private static let maxEvents = 4 * Diagnostics.maxErrors

    mutating func add(_ entry: Diagnostics.ErrorEntry) {
        var entry = entry
        if let index = events.lastIndex(where: { $0.source == entry.source }),
            case .error(var last) = events[index], last.isContinued(by: entry)
        {
            events.remove(at: index)
            last.add(entry)
            entry = last
        }
        append(.error(entry))
    }

    mutating func noteRecovery(of source: String) {
        if case .recovery? = events.last(where: { $0.source == source }) { return }
        append(.recovery(of: source))
    }

    private mutating func append(_ event: Event) {
        events.append(event)
        if events.count > Self.maxEvents { events.removeFirst() }
    }

    mutating func set(_ contact: Diagnostics.FeedContact) {
        var contact = contact
        contact.contactedAt = contact.contactedAt ?? contacts[contact.id]?.contactedAt
        contacts[contact.id] = contact
    }

    func apply(to diagnostics: inout Diagnostics) {
        for event in events {
            switch event {
            case .error(let entry): diagnostics.add(entry)
            case .recovery(let source): diagnostics.noteRecovery(of: source)
            }
        }
        for contact in contacts.values { diagnostics.set(contact) }
    }
}

/// Keeps diagnostics in a small private file, for one or several programs.
///
/// Noting something takes no time of the caller: it is kept in memory, and written on a thread of the system, at once or five
/// seconds after the last time. A program that crashes loses no more than that; one that ends calls ``flush()``.
/// A file that cannot be written is no reason to stop anything: then there are no diagnostics.
public final class DiagnosticLog: Sendable {
    private let url: URL
    private let monotonicSeconds: @Sendable () -> Double
    private let later: Later
    private let state = Mutex(State())
    /// Held while the file is read or written; never taken while ``state`` is held.
    private let file = Mutex(())

    private struct State {
        var unwritten = UnwrittenDiagnostics()
        /// When each feed was noted, by its name, and with what.
        var noted: [String: (at: Timestamp, state: String)] = [:]
        var isScheduled = false
        var writtenAtSeconds: Double?
    }

    /// Runs work after a number of seconds, on a thread that may wait for a disk.
    typealias Later = @Sendable (_ seconds: Double, _ work: @escaping @Sendable () -> Void) -> Void

    private static let maxBytes = 256 << 10
    /// The file is written at most this often, seconds.
    static let writeSeconds = 5.0
    /// A feed of which nothing changes is noted this often, seconds.
    private static let contactSeconds: Int64 = 60
    /// Longer texts are cut, characters.
    private static let maxTextLength = 300

    /// Creates a log in a file.
    public convenience init(_ url: URL) {
        self.init(url) { seconds, work in
            DispatchQueue.global(qos: .utility).asyncAfter(
                deadline: .now() + seconds, execute: work)
        }
    }

    init(
        _ url: URL, monotonicSeconds: @escaping @Sendable () -> Double = MonotonicTime.seconds,
        later: @escaping Later
    ) {
        self.url = url
        self.monotonicSeconds = monotonicSeconds
        self.later = later
    }

    /// What the file has now, with what is not written yet.
    public var contents: Diagnostics {
        file.withLock { _ in
            var diagnostics = Self.read(url)
            state.withLock { $0.unwritten.apply(to: &diagnostics) }
            return diagnostics
        }
    }

    /// The file of the programs that use a store.
    public static func url(nextTo store: URL) -> URL {
        store.deletingLastPathComponent().appendingPathComponent("diagnostics.json")
    }

    /// Reads a file; empty if there is none, or if it cannot be read.
    public static func read(_ url: URL) -> Diagnostics {
        (try? checked(url)) ?? Diagnostics()
    }

    /// Reads a file; empty if there is none.
    ///
    /// - Throws: ``DocumentError`` if it cannot be read or has other content.
    public static func checked(_ url: URL) throws(DocumentError) -> Diagnostics {
        let bytes: [UInt8]
        do throws(LocalFileError) {
            bytes = try LocalFile.read(url, maxBytes: maxBytes)
        } catch {
            guard !error.isMissing else { return Diagnostics() }
            throw DocumentError(DocumentProblem("", error.message), in: url.path, kind: error.kind)
        }
        do {
            return try JSONDocument.decoded(Diagnostics.self, from: Data(bytes))
        } catch {
            throw DocumentError(error, in: url.path)
        }
    }

    /// Notes an error.
    ///
    /// - Parameters:
    ///   - message: What is wrong, without addresses, paths and what belongs to a person.
    ///   - source: What failed.
    ///   - result: What follows.
    public func note(
        _ failure: any Failure, _ message: String, from source: String, _ result: RecoveryResult,
        at now: Timestamp
    ) {
        let entry = Diagnostics.ErrorEntry(
            at: TimeText.rfc3339(now), source: source, kind: "\(failure.kind)",
            message: printable(message, maxLength: Self.maxTextLength),
            recovery: printable(failure.recovery, maxLength: Self.maxTextLength),
            result: result.name, count: 1)
        change { $0.unwritten.add(entry) }
    }

    /// Notes that what failed last works again.
    public func noteRecovery(of source: String) {
        change { $0.unwritten.noteRecovery(of: source) }
    }

    /// Notes how a feed is doing, if that has changed or was noted a minute ago.
    ///
    /// - Parameters:
    ///   - problem: What is wrong with it; nil if it has just answered.
    ///   - isReachable: Whether anything answered.
    public func note(
        feed id: String, problem: String?, isReachable: Bool, _ condition: NetworkCondition,
        at now: Timestamp
    ) {
        let time = TimeText.rfc3339(now)
        let contact = Diagnostics.FeedContact(
            id: id, askedAt: time, contactedAt: isReachable ? time : nil,
            isReachable: isReachable,
            problem: problem.map { printable($0, maxLength: Self.maxTextLength) },
            condition: condition.rawValue)
        let condition = "\(isReachable) \(condition) \(problem ?? "")"
        let isRecent = state.withLock { state in
            if let last = state.noted[id], last.state == condition,
                abs(now.secondsSinceEpoch - last.at.secondsSinceEpoch) < Self.contactSeconds
            {
                return true
            }
            state.noted[id] = (now, condition)
            return false
        }
        if !isRecent { change { $0.unwritten.set(contact) } }
    }

    /// Writes what is not written yet; for the end of a program.
    public func flush() {
        file.withLock { _ in
            let unwritten = state.withLock { state in
                defer { state.unwritten = UnwrittenDiagnostics() }
                state.isScheduled = false
                state.writtenAtSeconds = monotonicSeconds()
                return state.unwritten
            }
            // Another program may have written it.
            let before = Self.read(url)
            var diagnostics = before
            unwritten.apply(to: &diagnostics)
            guard diagnostics != before else { return }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            guard let data = try? encoder.encode(diagnostics) else { return }
            // A folder that cannot be made shows when the file is written.
            try? FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? PrivateFile.replace(url, by: [Array(data)])
        }
    }

    private func change(_ change: (inout State) -> Void) {
        let seconds: Double? = state.withLock { state in
            change(&state)
            guard !state.isScheduled else { return nil }
            state.isScheduled = true
            guard let writtenAt = state.writtenAtSeconds else { return 0 }
            return max(0, writtenAt + Self.writeSeconds - monotonicSeconds())
        }
        // The log is kept until it is written.
        if let seconds { later(seconds) { self.flush() } }
    }
}
