// `bridgecast remind`: reminders to leave, kept in the journal; `next` prints when, and delivers nothing.
import ArgumentParser
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastJourneys
import BridgecastRoads
import BridgecastRouting
import BridgecastStore
import BridgecastSupport
import Foundation

struct RemindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remind",
        abstract: "Keeps reminders to leave for your favourites, and shows when that is.",
        subcommands: [
            RemindAdd.self, RemindList.self, RemindSet.self, RemindRemove.self, RemindNext.self,
        ])
}

/// `bridgecast remind add`.
struct RemindAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a reminder: to be there by a time, or to catch a departure at a stop.")

    @Argument(help: "The favourite's name, or the beginning of its id.")
    var name: String

    @Option(name: .long, help: "Of a trip: when to be there, by your clock, such as 9:00.")
    var by: String?

    @Option(name: .long, help: "Of a stop: the departure to catch, such as 8:40.")
    var catching: String?

    @Option(name: .long, help: "Days: daily, workdays, weekend, or such as mon,wed or mon-fri.")
    var days = WeekdaySet.workdays

    @Option(name: .long, help: "Wanted probability of being in time: 0.9 or 90%.")
    var sure = WantedConfidence(Reminder.defaultConfidence)

    @Option(
        name: .long,
        help: "How long before leaving you are reminded, minutes. Default: that of your settings.")
    var lead: Double?

    @Option(name: .long, help: "Of a stop: how long you walk there, minutes.")
    var walk = 0.0

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var journal: JournalOptions

    func validate() throws {
        guard (by == nil) != (catching == nil) else {
            throw ValidationError("write --by for a trip, or --catching for a stop")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let zone = try zone.timeZone()
            let text = by ?? catching ?? ""
            guard let minute = Reminder.minuteOfDay(text) else {
                throw CommandFailure(
                    .usage,
                    "'\(printable(text, maxLength: 40))' is no time of day: write 9:00 or 9am")
            }
            let (reminder, favourite) = try await journal.with(.writing) { store in
                let favourite = try store.favourite(name)
                let reminder = Reminder(
                    id: Journey.newID(), favourite: favourite.id, minuteOfDay: minute,
                    weekdays: days, zone: zone.identifier, confidence: sure.probability,
                    leadSeconds: try lead.map { try ReminderText.seconds($0, option: "--lead") }
                        ?? store.settings().reminderLeadSeconds,
                    walkSeconds: try ReminderText.seconds(walk, option: "--walk"))
                guard favourite.isTrip == (by != nil) else {
                    throw CommandFailure(
                        .usage, "--by is for a favourite trip, --catching for a favourite stop")
                }
                try store.set(reminder)
                return (reminder, favourite)
            }
            try Console.print(ReminderText.sentence(reminder, of: favourite))
        }
    }
}

/// `bridgecast remind list`.
struct RemindList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows your reminders.")

    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let (reminders, favourites) = try await journal.with(.reading) { store in
                (try store.reminders(), try store.favourites())
            }
            switch format {
            case .json: try Console.print(JournalContents(reminders: reminders).jsonText())
            case .table:
                try Console.print(
                    reminders.isEmpty ? "No reminders." : ReminderText.table(reminders, favourites))
            }
        }
    }
}

/// `bridgecast remind set`.
struct RemindSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Switches a reminder on or off, or changes its lead.")

    @Argument(help: "Its id, or the beginning of it.")
    var id: String

    @Flag(inversion: .prefixedNo, help: "Whether it reminds.")
    var on: Bool?

    @Option(name: .long, help: "How long before leaving you are reminded, minutes.")
    var lead: Double?

    @OptionGroup var journal: JournalOptions

    func validate() throws {
        guard on != nil || lead != nil else {
            throw ValidationError("write --on, --no-on or --lead")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let lead = try lead.map { try ReminderText.seconds($0, option: "--lead") }
            let (reminder, favourite) = try await journal.with(.writing) { store in
                let changed = try store.setReminder(id, isOn: on, leadSeconds: lead)
                return (changed, try store.favourite(changed.favourite))
            }
            try Console.print(ReminderText.sentence(reminder, of: favourite))
        }
    }
}

/// `bridgecast remind remove`.
struct RemindRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a reminder.")

    @Argument(help: "Its id, or the beginning of it.")
    var id: String

    @OptionGroup var journal: JournalOptions

    func run() async throws {
        try await reportingFailures {
            let removed = try await journal.with(.writing) { try $0.removeReminder(id) }
            try Console.print("Removed reminder \(JourneyText.id(removed.id))")
        }
    }
}

// MARK: - Next

/// `bridgecast remind next`.
struct RemindNext: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Shows when to leave for the next deadline of each reminder.",
        discussion: """
            Times on the road are learned from your journeys that had ended by the issue time. Beyond an hour ahead the \
            bridges' forecast is climatology. For a departure at a stop its own time counts, less the walk; board shows \
            what drawbridges may add.
            """)

    @OptionGroup var forecast: ForecastOptions
    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let (contents, learnable) = try await journal.with(.reading) { store in
                (try store.contents(), try store.learnableJourneys())
            }
            let now = try forecast.departure()
            let due = contents.reminders.filter(\.isOn).compactMap { reminder in
                reminder.nextDeadline(after: now).map { (reminder: reminder, deadline: $0) }
            }.sorted { ($0.deadline, $0.reminder.id) < ($1.deadline, $1.reminder.id) }
            let context = try forecast.context()
            var roads: RoadNetwork?
            var coming: [ComingReminder] = []
            for (reminder, deadline) in due {
                guard
                    let favourite = contents.favourites.first(where: { $0.id == reminder.favourite }
                    )
                else { continue }
                if roads == nil, favourite.isTrip { roads = try ShippedFiles.roads() }
                coming.append(
                    try await ComingReminder(
                        reminder, deadline, of: favourite, learnable, on: roads, in: context))
            }
            remark(context.notes)
            switch format {
            case .json:
                try Console.print(ComingDocument(context: context, coming: coming).jsonText())
            case .table:
                try Console.print(
                    coming.isEmpty ? "No reminders are on." : ReminderText.table(coming, at: now))
            }
        }
    }
}

/// A reminder with when to leave for its next deadline.
private struct ComingReminder {
    let reminder: Reminder
    let favourite: Favourite
    let leaveBy: LeaveBy
    let pace: LearnedPace
    /// The change of the time on the road that was learned; 0 for a stop.
    let change: Double

    init(
        _ reminder: Reminder, _ deadline: Timestamp, of favourite: Favourite,
        _ learnable: LearnableJourneys, on roads: RoadNetwork?, in context: ForecastContext
    ) async throws {
        self.reminder = reminder
        self.favourite = favourite
        if case .stop(let line, _, _) = favourite.target {
            pace = .none
            change = 0
            leaveBy = LeaveBy(
                catching: deadline, of: "line \(line)", for: reminder, deadline: deadline,
                bridgeSeconds: nil)
            return
        }
        let found = try FavouriteTrip(favourite, on: roads)
        let pace = learnable.pace(on: favourite.target.route, endedBy: context.issueTime)
        let candidates = try await ReminderCandidates(
            for: reminder, deadline: deadline, trip: found.trip, by: found.planner, pace: pace,
            in: context.situation, using: context.inference, model: context.model)
        let first = max(
            context.issueTime, deadline.adding(minutes: -Double(ReminderCandidates.maxMinutes)))
        let table = try await context.inference.table(
            in: context.situation, leaving: first, reaching: deadline.minutes(since: first),
            traffic: context.traffic, modes: [found.trip.mode], model: context.model)
        self.pace = pace
        leaveBy = candidates.leaveBy(with: table)
        change = pace.change(
            ofMinutes: try found.planner.quickestMinutes(found.trip, leaving: deadline))
    }
}

private struct ComingDocument: JSONObjectAnswer {
    let context: ForecastContext
    let coming: [ComingReminder]

    func writeFields(into json: inout JSONWriter) {
        context.envelope.write(into: &json)
        json.list("reminders", objects: coming) { json, coming in
            json.field("id", coming.reminder.id)
            json.field("favourite", coming.favourite.name)
            json.field("deadline", coming.leaveBy.deadline)
            json.field("leave_by", coming.leaveBy.departure)
            json.field(
                "announce_at",
                coming.leaveBy.departure?.adding(seconds: -Int64(coming.reminder.leadSeconds)))
            json.field("route", coming.leaveBy.way.isEmpty ? nil : coming.leaveBy.way)
            json.field("probability_on_time", coming.leaveBy.probabilityOnTime, decimals: 5)
            json.field("learned_from", coming.pace.journeys)
            json.field("change", coming.change, decimals: 4)
        }
    }
}

// MARK: - Text

enum ReminderText {
    static func seconds(_ minutes: Double, option: String) throws -> Int {
        guard minutes >= 0, minutes <= Double(Reminder.maxSeconds) / 60 else {
            throw CommandFailure(
                .usage, "\(option) must be 0 to \(Reminder.maxSeconds / 60) minutes")
        }
        return Int((minutes * 60).rounded())
    }

    static func sentence(_ reminder: Reminder, of favourite: Favourite) -> String {
        "\(JourneyText.id(reminder.id)): \(printable(favourite.name)), \(goal(reminder, of: favourite)), "
            + "\(reminder.weekdays.text); "
            + (reminder.isOn ? "\(minutes(reminder.leadSeconds)) before leaving" : "off")
    }

    private static func goal(_ reminder: Reminder, of favourite: Favourite) -> String {
        favourite.isTrip
            ? "there by \(reminder.clock), \(DepartureText.wantedPercent(reminder.confidence)) sure"
            : "departure at \(reminder.clock), \(minutes(reminder.walkSeconds)) walk"
    }

    private static func minutes(_ seconds: Int) -> String {
        "\(plainNumber(Double(seconds) / 60)) min"
    }

    static func table(_ reminders: [Reminder], _ favourites: [Favourite]) -> String {
        var table = TextTable(
            ["id", "favourite", "wanted", "days", "zone", "lead"],
            [.left, .left, .left, .left, .left, .right])
        for reminder in reminders {
            guard let favourite = favourites.first(where: { $0.id == reminder.favourite }) else {
                continue
            }
            table.add([
                JourneyText.id(reminder.id),
                printable(favourite.name, maxLength: TextTable.maxNameLength),
                goal(reminder, of: favourite), reminder.weekdays.text, reminder.zone,
                reminder.isOn ? minutes(reminder.leadSeconds) : "off",
            ])
        }
        return table.text()
    }

    fileprivate static func table(_ coming: [ComingReminder], at now: Timestamp) -> String {
        let today = SeattleTime.civil(at: now).date
        var table = TextTable(
            ["leave by", "for", "deadline", "way", "on time", "on the road", "journeys"],
            [.left, .left, .left, .left, .right, .left, .right])
        for next in coming {
            let leaveBy = next.leaveBy
            table.add([
                leaveBy.departure.map { departure in
                    SeattleTime.civil(at: departure).date == today
                        ? TimeText.clock(departure) : PredictionText.day(departure)
                } ?? "too late",
                printable(next.favourite.name, maxLength: TextTable.maxNameLength),
                PredictionText.day(leaveBy.deadline),
                leaveBy.way.isEmpty
                    ? "-" : printable(leaveBy.way, maxLength: TextTable.maxNameLength),
                leaveBy.probabilityOnTime.map { percent($0) } ?? "-",
                next.favourite.isTrip ? LearnedText.change(next.change) : "-",
                next.favourite.isTrip ? "\(next.pace.journeys)" : "-",
            ])
        }
        return table.text()
    }
}
