// What a running program notes for `bridgecast doctor`: the last contact with each feed, and the last errors.
public import BridgecastCore
public import BridgecastSupport
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
        if var last = errors.first(where: { $0.source == entry.source }),
            last.kind == entry.kind, last.message == entry.message,
            last.result != RecoveryResult.recovered.name || entry.result == last.result
        {
            errors.removeAll { $0 == last }
            last.at = entry.at
            last.result = entry.result
            last.count += 1
            errors.insert(last, at: 0)
        } else {
            errors = Array(([entry] + errors).prefix(Self.maxErrors))
        }
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

/// Keeps diagnostics in a small private file, for one or several programs.
///
/// A file that cannot be written is no reason to stop anything: then there are no diagnostics.
public final class DiagnosticLog: Sendable {
    private let url: URL
    /// When each feed was noted, by its name, and with what.
    private let noted = Mutex<[String: (at: Timestamp, state: String)]>([:])

    private static let maxBytes = 256 << 10
    /// A feed of which nothing changes is noted this often, seconds.
    private static let contactSeconds: Int64 = 60
    /// Longer texts are cut, characters.
    private static let maxTextLength = 300

    /// Creates a log in a file.
    public init(_ url: URL) { self.url = url }

    /// What the file has now.
    public var contents: Diagnostics { Self.read(url) }

    /// The file of the programs that use a store.
    public static func url(nextTo store: URL) -> URL {
        store.deletingLastPathComponent().appendingPathComponent("diagnostics.json")
    }

    /// Reads a file; empty if there is none, or if it cannot be read.
    public static func read(_ url: URL) -> Diagnostics {
        guard let bytes = try? LocalFile.read(url, maxBytes: maxBytes) else { return Diagnostics() }
        return (try? JSONDecoder().decode(Diagnostics.self, from: Data(bytes))) ?? Diagnostics()
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
        noted.withLock { _ in change { $0.add(entry) } }
    }

    /// Notes that what failed last works again.
    public func noteRecovery(of source: String) {
        let recovered = RecoveryResult.recovered.name
        noted.withLock { _ in
            let errors = Self.read(url).errors
            guard let index = errors.firstIndex(where: { $0.source == source }),
                errors[index].result != recovered
            else { return }
            change { $0.errors[index].result = recovered }
        }
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
        let state = "\(isReachable) \(condition) \(problem ?? "")"
        noted.withLock { noted in
            if let last = noted[id], last.state == state,
                abs(now.secondsSinceEpoch - last.at.secondsSinceEpoch) < Self.contactSeconds
            {
                return
            }
            noted[id] = (now, state)
            change { $0.set(contact) }
        }
    }

    /// Changes what the file has now, which another program may have written.
    private func change(_ change: (inout Diagnostics) -> Void) {
        var diagnostics = Self.read(url)
        change(&diagnostics)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(diagnostics) else { return }
        try? PrivateFile.write(Array(data), to: url)
    }
}
