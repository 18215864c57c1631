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
        help:
            "Minutes before leaving at which you are reminded, or such as 90s. Default: that of your settings."
    )
    var lead: TypedDuration?

    @Option(name: .long, help: "Minutes that you walk to a stop, or such as 90s.")
    var walk = TypedDuration(0)

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
            let (added, favourite) = try await journal.with(.writing) { store in
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
                return (try store.add(reminder), favourite)
            }
            if !added.isNew { remark(["that reminder is there already, and not added again"]) }
            try Console.print(ReminderText.sentence(added.reminder, of: favourite))
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

    @Option(
        name: .long, help: "Minutes before leaving at which you are reminded, or such as 90s.")
    var lead: TypedDuration?

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
            let context = try forecast.context()
            let coming = try await Self.coming(contents, learnable, at: now, in: context)
            remark(context.notes)
            switch format {
            case .json:
                try Console.print(ComingDocument(context: context, coming: coming).jsonText())
            case .table:
                try Console.print(
                    coming.isEmpty ? "No reminders are on." : ReminderText.text(coming, at: now))
            }
        }
    }

    /// The reminders that are on, the next deadline first; one that cannot be forecast has its problem.
    private static func coming(
        _ contents: JournalContents, _ learnable: LearnableJourneys, at now: Timestamp,
        in context: ForecastContext
    ) async throws -> [NextReminder] {
        let due = contents.reminders.filter(\.isOn).compactMap { reminder in
            reminder.nextDeadline(after: now).map { (reminder: reminder, deadline: $0) }
        }.sorted { ($0.deadline, $0.reminder.id) < ($1.deadline, $1.reminder.id) }
        var roads: RoadNetwork?
        var coming: [NextReminder] = []
        for (reminder, deadline) in due {
            guard
                let favourite = contents.favourites.first(where: { $0.id == reminder.favourite })
            else { continue }
            if roads == nil, favourite.isTrip { roads = try ShippedFiles.roads() }
            var next = NextReminder(reminder: reminder, favourite: favourite, deadline: deadline)
            do {
                next.coming = try await ComingReminder(
                    reminder, deadline, of: favourite, learnable, on: roads, in: context)
            } catch {
                // A place or a trip that there is not; what is wrong with the program concerns all of them.
                let failure = CommandFailure(error)
                guard failure.code == .usage else { throw error }
                next.problem = failure.message
            }
            coming.append(next)
        }
        return coming
    }
}

/// A reminder that is on, with when to leave or why that cannot be forecast.
private struct NextReminder {
    let reminder: Reminder
    let favourite: Favourite
    let deadline: Timestamp
    /// Nil if there is a problem.
    var coming: ComingReminder?
    var problem: String?
}

/// A reminder with when to leave for its next deadline.
private struct ComingReminder {
    let leaveBy: LeaveBy
    let pace: LearnedPace
    /// The change of the time on the road that was learned; 0 for a stop.
    let change: Double

    init(
        _ reminder: Reminder, _ deadline: Timestamp, of favourite: Favourite,
        _ learnable: LearnableJourneys, on roads: RoadNetwork?, in context: ForecastContext
    ) async throws {
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
    let coming: [NextReminder]

    func writeFields(into json: inout JSONWriter) {
        context.envelope.write(into: &json)
        json.list("reminders", objects: coming) { json, next in
            let leaveBy = next.coming?.leaveBy
            json.field("id", next.reminder.id)
            json.field("favourite", next.favourite.name)
            json.field("deadline", next.deadline)
            json.field("leave_by", leaveBy?.departure)
            json.field(
                "announce_at",
                leaveBy?.departure?.adding(seconds: -Int64(next.reminder.leadSeconds)))
            json.field("route", leaveBy.flatMap { $0.way.isEmpty ? nil : $0.way })
            json.field("probability_on_time", leaveBy?.probabilityOnTime, decimals: 5)
            json.field("learned_from", next.coming?.pace.journeys)
            json.field("change", next.coming?.change, decimals: 4)
            json.field("problem", next.problem)
        }
    }
}

// MARK: - Text

enum ReminderText {
    /// The seconds of a length of time that is in minutes by default.
    static func seconds(_ length: TypedDuration, option: String) throws -> Int {
        let seconds = length.seconds(perUnit: 60)
        guard seconds >= 0, seconds <= Double(Reminder.maxSeconds) else {
            throw CommandFailure(
                .usage, "\(option) must be 0 to \(Reminder.maxSeconds / 60) minutes")
        }
        return Int(seconds.rounded())
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

    /// A table of those that are forecast, and a line for each other one.
    fileprivate static func text(_ next: [NextReminder], at now: Timestamp) -> String {
        let problems = next.compactMap { next in
            next.problem.map { problem in
                "\(printable(next.favourite.name, maxLength: TextTable.maxNameLength)), "
                    + "\(PredictionText.day(next.deadline)), is not forecast: "
                    + printable(problem, maxLength: 400)
            }
        }
        let isForecast = next.contains { $0.coming != nil }
        return ((isForecast ? [table(next, at: now)] : []) + problems).joined(separator: "\n")
    }

    private static func table(_ coming: [NextReminder], at now: Timestamp) -> String {
        let today = SeattleTime.civil(at: now).date
        var table = TextTable(
            ["leave by", "for", "deadline", "way", "on time", "on the road", "journeys"],
            [.left, .left, .left, .left, .right, .left, .right])
        for next in coming {
            guard let forecast = next.coming else { continue }
            let leaveBy = forecast.leaveBy
            table.add([
                leaveBy.departure.map { departure in
                    SeattleTime.civil(at: departure).date == today
                        ? TimeText.clock(departure) : PredictionText.day(departure)
                } ?? "too late",
                printable(next.favourite.name, maxLength: TextTable.maxNameLength),
                PredictionText.day(next.deadline),
                leaveBy.way.isEmpty
                    ? "-" : printable(leaveBy.way, maxLength: TextTable.maxNameLength),
                leaveBy.probabilityOnTime.map { percent($0) } ?? "-",
                next.favourite.isTrip ? LearnedText.change(forecast.change) : "-",
                next.favourite.isTrip ? "\(forecast.pace.journeys)" : "-",
            ])
        }
        return table.text()
    }
}
