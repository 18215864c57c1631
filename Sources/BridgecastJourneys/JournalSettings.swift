// The settings of a person, kept in their journal: what new favourites and reminders take, and what may be kept.
public import BridgecastSupport
private import Foundation

/// The settings of a person.
public struct JournalSettings: Sendable, Equatable {
    /// How often a favourite is refreshed that is added without an interval of its own.
    public var refresh = FavouriteRefresh.fiveMinutes
    /// How long before leaving a reminder is announced that is added without a lead of its own, seconds.
    public var reminderLeadSeconds = Reminder.defaultLeadSeconds
    /// Whether a reminder is announced again when the time to leave moves.
    public var announcesMoves = true
    /// Whether journeys are recorded at all.
    ///
    /// While it is off nothing is recorded, not even by hand, nor learned.
    public var tracksJourneys = true
    /// The consent to a history: without it no service records a journey, and nothing is learned from any.
    ///
    /// What a person enters with a command on their own machine is kept without it.
    public var keepsHistory = false
    /// The consent to keeping locations: without it nothing is kept that has coordinates.
    public var keepsLocation = false

    /// The defaults; both consents are off.
    public init() {}

    /// Whether anything is learned from journeys.
    public var learns: Bool { tracksJourneys && keepsHistory }

    /// Checks settings before they are kept.
    ///
    /// - Throws: ``SettingsProblem``.
    public func validate() throws(SettingsProblem) {
        guard (0...Reminder.maxSeconds).contains(reminderLeadSeconds) else { throw .badLead }
    }
}

/// What is to change in settings; nil leaves a setting as it is.
public struct JournalSettingsChange: Sendable, Equatable {
    /// See ``JournalSettings/refresh``.
    public var refresh: FavouriteRefresh?
    /// See ``JournalSettings/reminderLeadSeconds``.
    public var reminderLeadSeconds: Int?
    /// See ``JournalSettings/announcesMoves``.
    public var announcesMoves: Bool?
    /// See ``JournalSettings/tracksJourneys``.
    public var tracksJourneys: Bool?
    /// See ``JournalSettings/keepsHistory``.
    public var keepsHistory: Bool?
    /// See ``JournalSettings/keepsLocation``; `false` also removes what was kept with coordinates.
    public var keepsLocation: Bool?

    /// A change of nothing.
    public init() {}

    /// The change that leads to the given settings from any others.
    public init(to settings: JournalSettings) {
        refresh = settings.refresh
        reminderLeadSeconds = settings.reminderLeadSeconds
        announcesMoves = settings.announcesMoves
        tracksJourneys = settings.tracksJourneys
        keepsHistory = settings.keepsHistory
        keepsLocation = settings.keepsLocation
    }

    /// Whether nothing is to change.
    public var isEmpty: Bool { self == JournalSettingsChange() }

    func applied(to settings: JournalSettings) -> JournalSettings {
        var changed = settings
        changed.refresh = refresh ?? settings.refresh
        changed.reminderLeadSeconds = reminderLeadSeconds ?? settings.reminderLeadSeconds
        changed.announcesMoves = announcesMoves ?? settings.announcesMoves
        changed.tracksJourneys = tracksJourneys ?? settings.tracksJourneys
        changed.keepsHistory = keepsHistory ?? settings.keepsHistory
        changed.keepsLocation = keepsLocation ?? settings.keepsLocation
        return changed
    }
}

/// Why settings are refused.
public enum SettingsProblem: Failure, Equatable {
    /// The lead is negative or longer than two hours.
    case badLead

    /// Always ``FailureKind/usage``: what was entered is wrong.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .badLead: "the lead must be 0 to \(Reminder.maxSeconds / 60) minutes"
        }
    }
}

// MARK: - What settings forbid

/// On which machine, and by what, a journey is recorded.
public enum JourneySource: Sendable, Equatable {
    /// A command that a person typed on their own machine: that is the consent to this entry.
    case ownCommand
    /// A service for one of its people, also at the press of a button: it keeps a history elsewhere, which takes
    /// ``JournalSettings/keepsHistory``.
    case service
}

/// Why settings forbid to keep something.
public enum SettingsRefusal: Sendable, Equatable {
    /// Journeys are not tracked.
    case trackingIsOff
    /// A service has no consent to a history.
    case noHistoryConsent
    /// A text has coordinates, and there is no consent to keeping them.
    case coordinates(String)

    /// What is refused.
    public var description: String {
        switch self {
        case .trackingIsOff: "the tracking of journeys is off, so none is recorded"
        case .noHistoryConsent: "without your consent to a history no journey is kept here"
        case .coordinates(let text):
            "'\(printable(text, maxLength: 60))' has coordinates, which are kept only with your consent"
        }
    }

    /// What to do on the command line.
    var recovery: String {
        switch self {
        case .trackingIsOff: "`bridgecast settings set --track-journeys` switches it on"
        case .noHistoryConsent: "`bridgecast settings set --keep-history` gives it"
        case .coordinates:
            "write the name of a place, or allow it: `bridgecast settings set --keep-location`"
        }
    }
}

extension JournalSettings {
    /// - Throws: ``JourneyStoreProblem`` if no journey may be recorded.
    func checkRecording(by source: JourneySource) throws {
        guard tracksJourneys else { throw JourneyStoreProblem.refused(.trackingIsOff) }
        guard source == .ownCommand || keepsHistory else {
            throw JourneyStoreProblem.refused(.noHistoryConsent)
        }
    }

    /// - Throws: ``JourneyStoreProblem`` if a text has coordinates that may not be kept.
    func checkCoordinates(in texts: [String]) throws {
        guard !keepsLocation, let text = texts.first(where: CoordinatesInText.isIn) else { return }
        throw JourneyStoreProblem.refused(.coordinates(text))
    }
}

extension Journey {
    /// The texts that may have coordinates; the route is made of the same, without punctuation.
    var textsOfPlaces: [String] { [name, route] + (forecast.map { [$0.way] } ?? []) }
}

extension Favourite {
    /// The texts that may have coordinates.
    var textsOfPlaces: [String] { [name] + target.parts }
}

/// Coordinates in a text, such as the origin `47.66871,-122.37612`.
enum CoordinatesInText {
    /// A point to a tenth of a degree is no location of a person; one with two decimals is a quarter of a city.
    private static let minDecimals = 2

    /// Whether a text has a latitude and a longitude: in degrees with a decimal point, with a comma, semicolon, blank or
    /// letter of the direction between them, or with minutes; also as a part of an address of the web.
    static func isIn(_ text: String) -> Bool {
        // All texts of places are looked at, and hardly any has one of these.
        guard text.utf8.contains(UInt8(ascii: ".")) || text.contains("°") || text.contains("%")
        else { return false }
        let plain = decoded(text).replacing(parameter, with: ",")
        return hasPair(plain) || plain.matches(of: minutes).count >= 2
    }

    /// A text without percent-encoding, of addresses in addresses too.
    private static func decoded(_ text: String) -> String {
        let once = text.removingPercentEncoding ?? text
        return once.removingPercentEncoding ?? once
    }

    private static func hasPair(_ text: String) -> Bool {
        let numbers = text.matches(of: number)
        return zip(numbers, numbers.dropFirst()).contains { first, second in
            let between = text[first.range.upperBound..<second.range.lowerBound]
            let isPair =
                (1...5).contains(between.count) && between.allSatisfy { ",; °NSEWns".contains($0) }
            return isPair && isDegrees(first.output.1, upTo: 90)
                && isDegrees(second.output.1, upTo: 180)
        }
    }

    private static var number: Regex<(Substring, Substring)> { /([-+]?\d{1,3}\.\d+)/ }
    /// The name of a parameter in an address.
    private static var parameter: Regex<Substring> { /[&?][A-Za-z_]+=/ }
    /// Degrees and minutes, such as `47°40'05"` or `47° 40.1'`.
    private static var minutes: Regex<Substring> { /\d{1,3}\s*°\s*\d{1,2}(?:\.\d+)?\s*['′’]/ }

    private static func isDegrees(_ text: Substring, upTo max: Double) -> Bool {
        let decimals = text.split(separator: ".").last?.count ?? 0
        return decimals >= minDecimals && (Double(text).map { abs($0) <= max } ?? false)
    }
}
