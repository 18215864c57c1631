// The settings in a journal: read, changed, and what follows from them for what is kept and learned.
public import BridgecastCore
internal import BridgecastStore
internal import BridgecastSupport
internal import GRDB

extension JourneyStore {
    /// The settings of the person.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func settings() throws(JourneyStoreError) -> JournalSettings {
        try reading { try Self.settings(in: $0) }
    }

    static func settings(in database: Database) throws -> JournalSettings {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT refreshMinutes, reminderLeadSeconds, announcesMoves, tracksJourneys,
                    keepsHistory, keepsLocation FROM settings
                """)
        guard let row else { throw StoreProblem.damaged("its settings are missing") }
        let values = StoreRow(row)
        guard let refresh = FavouriteRefresh(rawValue: Int(try values.integer(0))) else {
            throw values.damage("an impossible setting")
        }
        var settings = JournalSettings()
        settings.refresh = refresh
        settings.reminderLeadSeconds = Int(try values.integer(1))
        settings.announcesMoves = try values.integer(2) != 0
        settings.tracksJourneys = try values.integer(3) != 0
        settings.keepsHistory = try values.integer(4) != 0
        settings.keepsLocation = try values.integer(5) != 0
        do {
            try settings.validate()
        } catch {
            throw values.damage("an impossible setting: \(error)")
        }
        return settings
    }

    /// Checks, before long work, that a journey may be recorded.
    ///
    /// - Throws: ``JourneyStoreError`` if the settings forbid it.
    public func checkRecording(by source: JourneySource) throws(JourneyStoreError) {
        try reading { try Self.settings(in: $0).checkRecording(by: source) }
    }

    /// What a change of settings did.
    public struct SettingsReport: Sendable, Equatable {
        /// The settings as they are now.
        public var settings: JournalSettings
        /// Journeys with coordinates that were removed, as the consent to them was withdrawn.
        public var removedJourneys = 0
        /// Favourites with coordinates that were removed.
        public var removedFavourites = 0
        /// The reminders of these favourites, which were removed with them.
        public var removedReminders = 0
    }

    /// Changes settings, all that are named or none.
    ///
    /// Switching off ``JournalSettings/keepsLocation`` removes what was kept with coordinates in the same transaction.
    /// Journeys stay when ``JournalSettings/keepsHistory`` is switched off: ``clear(before:isTrial:)`` removes them.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func change(
        _ change: JournalSettingsChange
    ) throws(JourneyStoreError) -> SettingsReport {
        try writing { database in
            let settings = change.applied(to: try Self.settings(in: database))
            try settings.validate()
            try database.execute(
                sql: """
                    UPDATE settings SET refreshMinutes = ?, reminderLeadSeconds = ?,
                        announcesMoves = ?, tracksJourneys = ?, keepsHistory = ?, keepsLocation = ?
                    """,
                arguments: [
                    settings.refresh.rawValue, settings.reminderLeadSeconds,
                    settings.announcesMoves ? 1 : 0, settings.tracksJourneys ? 1 : 0,
                    settings.keepsHistory ? 1 : 0, settings.keepsLocation ? 1 : 0,
                ])
            var report = SettingsReport(settings: settings)
            if change.keepsLocation == false {
                try Self.removeCoordinates(in: database, &report)
            }
            return report
        }
    }

    /// Back to the defaults, without either consent.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func resetSettings() throws(JourneyStoreError) -> SettingsReport {
        try change(JournalSettingsChange(to: JournalSettings()))
    }

    private static func removeCoordinates(
        in database: Database, _ report: inout SettingsReport
    ) throws {
        let journeys = try journeys(from: nil, in: database).filter {
            $0.textsOfPlaces.contains(where: CoordinatesInText.isIn)
        }
        for journey in journeys {
            try database.execute(sql: "DELETE FROM journey WHERE id = ?", arguments: [journey.id])
        }
        let favourites = try favourites(in: database).filter {
            $0.textsOfPlaces.contains(where: CoordinatesInText.isIn)
        }
        for favourite in favourites {
            try database.execute(
                sql: "DELETE FROM favourite WHERE id = ?", arguments: [favourite.id])
        }
        report.removedJourneys = journeys.count
        report.removedFavourites = favourites.count
        report.removedReminders = try removeOrphans(in: database)
    }
}

// MARK: - Learning

/// Why nothing is learned from the journeys of a journal.
public enum LearningObstacle: Sendable, Equatable {
    /// Journeys are not tracked.
    case trackingIsOff
    /// There is no consent to a history.
    case noConsent
    /// ``Feature/learnedPace`` is not switched on for this person.
    case featureIsOff

    /// Why, and what to do.
    public var description: String {
        switch self {
        case .trackingIsOff:
            "the tracking of journeys is off; `bridgecast settings set --track-journeys` switches it on"
        case .noConsent:
            "that takes your consent; `bridgecast settings set --keep-history` gives it"
        case .featureIsOff: "learned_pace is not switched on for you"
        }
    }
}

/// The journeys from which may be learned.
public struct LearnableJourneys: Sendable {
    /// All that are kept; empty if there is an obstacle.
    public let journeys: [Journey]
    /// Why nothing is learned; nil if it is.
    public let obstacle: LearningObstacle?

    /// What is learned for a route; nothing if there is an obstacle.
    ///
    /// - Parameters: As of ``LearnedPace/init(of:on:endedBy:)``.
    public func pace(on route: String, endedBy issueTime: Timestamp) -> LearnedPace {
        LearnedPace(of: journeys, on: route, endedBy: issueTime)
    }
}

extension JourneyStore {
    /// The journeys from which may be learned: none without consent, and none while tracking or the feature is off.
    ///
    /// Whatever learns from a person's journeys takes them from here.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func learnableJourneys() throws(JourneyStoreError) -> LearnableJourneys {
        let isOn = try isOn(.learnedPace)
        return try reading { database in
            let settings = try Self.settings(in: database)
            let obstacle: LearningObstacle? =
                !settings.tracksJourneys
                ? .trackingIsOff
                : !settings.keepsHistory ? .noConsent : !isOn ? .featureIsOff : nil
            return LearnableJourneys(
                journeys: obstacle == nil ? try Self.journeys(from: nil, in: database) : [],
                obstacle: obstacle)
        }
    }

    /// Whether a reminder is announced again when the time to leave moves: by the settings and by
    /// ``Feature/movedAnnouncements``.
    ///
    /// - Throws: ``JourneyStoreError``.
    public func announcesMoves() throws(JourneyStoreError) -> Bool {
        let isOn = try isOn(.movedAnnouncements)
        return try settings().announcesMoves && isOn
    }
}

// MARK: - Features

extension JourneyStore {
    /// Whether a feature is switched on for the person of this journal.
    ///
    /// - Throws: ``JourneyStoreError``, also if the file of features cannot be used.
    public func isOn(_ feature: Feature) throws(JourneyStoreError) -> Bool {
        let switched: FeatureRollout?
        do throws(DocumentError) {
            switched = try features.rollout.get()
        } catch {
            throw JourneyStoreError(path: path, .features(error))
        }
        guard let rollout = switched else { return true }
        if let person = features.person { return rollout.isOn(feature, for: person) }
        return rollout.isOn(feature, for: try ownIdentity())
    }

    /// The identity of the person of a journal that no service keeps, derived from the salt, which it does not show.
    private func ownIdentity() throws(JourneyStoreError) -> String {
        hexadecimal(SHA256.authenticationCode(of: "person".utf8, key: try salt()))
    }
}
