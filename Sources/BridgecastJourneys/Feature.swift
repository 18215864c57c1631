// Features that an operator switches on for all people, for none, or for a share of them that only grows.
public import BridgecastSupport

/// A feature that can be switched.
///
/// They are brought to people in three phases; ``FeatureRollout`` says how far it is.
public enum Feature: String, Sendable, CaseIterable {
    /// The view of the page that shows a person's journal.
    case journalPage = "journal_page"
    /// The statistics of journeys, except for what is learned.
    case statistics
    /// Times on the road as a person's own journeys have taught, in rankings and reminders.
    case learnedPace = "learned_pace"
    /// A reminder is announced again when the time to leave moves.
    case movedAnnouncements = "moved_announcements"

    /// The phase in which it comes, 1...3.
    public var phase: Int {
        switch self {
        case .journalPage, .statistics: 1
        case .learnedPace: 2
        case .movedAnnouncements: 3
        }
    }
}

/// The people for which features are switched on.
///
/// Of a share, a person is in or out by a keyed hash of the feature and the person. So they stay in as the share grows,
/// one feature says nothing about another, and without the key no one can tell who is in.
public struct FeatureRollout: Sendable, Equatable {
    /// The last phase whose features are switched on where no share is given, 0...3.
    public var phase = Feature.lastPhase
    /// Shares of people, 0...1; 0 for none, 1 for all.
    public var shares: [Feature: Double] = [:]
    /// The key of the hash; needed for shares between 0 and 1.
    public var key = ""

    /// All features are on.
    public init() {}

    /// The share of people who have a feature, 0...1.
    public func share(of feature: Feature) -> Double {
        shares[feature] ?? (feature.phase <= phase ? 1 : 0)
    }

    /// Whether a person has a feature.
    ///
    /// - Parameter person: What tells people apart, such as ``Person/id``.
    public func isOn(_ feature: Feature, for person: String) -> Bool {
        position(of: person, in: feature) < share(of: feature)
    }

    /// Where a person is among all in a feature, from 0 to below 1: those below its share have it.
    ///
    /// The first 53 bits of HMAC-SHA256 of `feature/person`, as a fraction.
    func position(of person: String, in feature: Feature) -> Double {
        let code = SHA256.authenticationCode(
            of: "\(feature.rawValue)/\(person)".utf8, key: Array(key.utf8))
        let bits = code.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(bits >> 11) * 0x1p-53
    }
}

extension Feature {
    /// The last phase.
    public static let lastPhase = 3
}

// MARK: - File

extension FeatureRollout {
    /// The name of the format, in each file.
    static let format = "bridgecast-features"
    /// The version of the format, and the newest that is read.
    static let version = 1
    /// How long a file may be, bytes.
    package static let maxBytes = 64 << 10
    /// A shorter key could be guessed from who is in.
    static let minKeyLength = 16

    /// Reads a file of features: a phase, a key, and for each feature that differs from its phase `true`, `false` or a
    /// percentage.
    ///
    /// - Throws: `DocumentProblem` with the line and the field; an unknown feature names the known ones.
    public init(reading bytes: [UInt8]) throws(DocumentProblem) {
        let names = Feature.allCases.map(\.rawValue).joined(separator: ", ")
        self = try VersionedReader.content(
            of: bytes, format: Self.format, newestVersion: Self.version,
            unknownText: "is unknown; the features are \(names)"
        ) { (entry: JournalEntry<FeatureField>) throws(JournalEntryProblem<FeatureField>) in
            var rollout = FeatureRollout()
            for field in FeatureField.allCases where entry[field] != nil {
                try rollout.set(field, in: entry)
            }
            try rollout.checkKey()
            return rollout
        }
    }

    private func checkKey() throws(JournalEntryProblem<FeatureField>) {
        let isShared = shares.values.contains { $0 > 0 && $0 < 1 }
        guard isShared, key.utf8.count < Self.minKeyLength else { return }
        throw JournalEntryProblem(
            field: .key, text: "a percentage needs a key of \(Self.minKeyLength) characters or more"
        )
    }

    private mutating func set(
        _ field: FeatureField, in entry: JournalEntry<FeatureField>
    ) throws(JournalEntryProblem<FeatureField>) {
        switch field {
        case .format, .version: break
        case .key: key = try entry.text(.key)
        case .phase:
            phase = try entry.required(.phase, "0 to \(Feature.lastPhase)", as: .literal) { text in
                Int(text).flatMap { (0...Feature.lastPhase).contains($0) ? $0 : nil }
            }
        case .feature(let feature):
            shares[feature] = try entry.required(
                field, "true, false or a percentage", as: .literal, Self.share)
        }
    }

    /// A share as it is written.
    private static func share(_ text: String) -> Double? {
        switch text {
        case "true": 1
        case "false": 0
        default: Double(text).flatMap { (0...100).contains($0) ? $0 / 100 : nil }
        }
    }
}

/// The fields of a file of features.
private enum FeatureField: CodingKey, CaseIterable, Hashable, Sendable {
    case format, version, key, phase
    case feature(Feature)

    static var allCases: [FeatureField] {
        [.format, .version, .key, .phase] + Feature.allCases.map { .feature($0) }
    }

    var stringValue: String {
        switch self {
        case .format: "format"
        case .version: "version"
        case .key: "key"
        case .phase: "phase"
        case .feature(let feature): feature.rawValue
        }
    }

    var intValue: Int? { nil }

    init?(intValue: Int) { nil }

    init?(stringValue: String) {
        guard let field = Self.allCases.first(where: { $0.stringValue == stringValue }) else {
            return nil
        }
        self = field
    }
}

/// The features that are switched on, and the person of a journal.
public struct PersonFeatures: Sendable, Equatable {
    /// Nil where every feature is on; of a file that cannot be used an error, for what asks for a feature.
    public var rollout: Result<FeatureRollout?, DocumentError>
    /// What tells people apart; nil for the owner of a journal on their own machine.
    public var person: String?

    /// Creates features.
    ///
    /// - Parameters:
    ///   - rollout: Nil where every feature is on.
    ///   - person: What tells people apart; nil for the owner of a journal on their own machine.
    public init(_ rollout: FeatureRollout? = nil, of person: String? = nil) {
        self.init(.success(rollout), of: person)
    }

    /// Creates features; parameters as the properties.
    public init(_ rollout: Result<FeatureRollout?, DocumentError>, of person: String? = nil) {
        self.rollout = rollout
        self.person = person
    }
}

extension FeatureRollout {
    /// A line for operators, such as `statistics on, learned_pace 25 %`.
    public var text: String {
        Feature.allCases.map { feature in
            let share = share(of: feature)
            let shown = share == 0 ? "off" : share == 1 ? "on" : "\(plainNumber(share * 100)) %"
            return "\(feature.rawValue) \(shown)"
        }.joined(separator: ", ")
    }
}
