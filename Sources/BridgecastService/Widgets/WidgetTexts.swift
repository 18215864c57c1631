// The words of widgets in each language. Those of times, chances and bridges are the page's.
internal import BridgecastCore
internal import BridgecastTransit
internal import BridgecastTransitAnswers
private import HTTPTypes

struct WidgetTexts: Sendable {
    let language: PageLanguage
    /// For a countdown that is over.
    let now: String
    /// What the next of a kind of vehicle is called.
    let nextOf: [TransitKind: String]
    let next: String
    /// Before a headsign.
    let to: String
    /// Before the departures after the first.
    let then: String
    /// Before a number of a train.
    let number: String
    let nothing: String
    let timetableOnly: String
    /// Before and after the age of data, minutes.
    let old: (before: String, after: String)
    /// Before the name of a bridge at which a bus waits.
    let waitingAt: String
    let towards: String
    let statuses: [Departure.Status: String]
    /// After a number of minutes.
    let minutesLate: String
    let minutesEarly: String
    /// Around the name of a bridge.
    let bridge: (before: String, after: String)
    let classes: [ServiceClass: String]
    let confidences: [DepartureConfidence: String]
    /// Before the name of a stop.
    let at: String
    /// Before minutes that are left.
    let inTime: String
    /// In place of where it goes, for what arrives at its last stop.
    let endsHere: String
    /// What problems are called; nil in English, as problems have English texts themselves.
    let problems: ProblemTexts?

    struct ProblemTexts: Sendable {
        /// For a line or a stop that there is not.
        let notFound: String
        /// Around the name of a parameter.
        let wrongParameter: (before: String, after: String)
        let other: String
        /// Where a valid address is made.
        let recovery: String
    }

    static func of(_ language: PageLanguage) -> WidgetTexts {
        switch language {
        case .english: english
        case .spanish: spanish
        }
    }

    private static let english = WidgetTexts(
        language: .english, now: "now",
        nextOf: [
            .bus: "next bus", .trolleybus: "next bus", .ferry: "next ferry", .tram: "next tram",
        ],
        next: "next train", to: "to", then: "then", number: "no.",
        nothing: "Nothing within 2 hours", timetableOnly: "Timetable only: no live data",
        old: ("Data is", "min old"), waitingAt: "Waiting at", towards: "Towards",
        statuses: [
            .scheduled: "scheduled", .onTime: "on time", .late: "late", .early: "early",
            .cancelled: "cancelled", .skipped: "does not stop", .added: "extra",
            .noData: "no data",
        ],
        minutesLate: "min late", minutesEarly: "min early", bridge: ("", " Bridge"),
        classes: [.local: "Local", .limited: "Limited", .express: "Express"],
        confidences: [.high: "HIGH", .medium: "MEDIUM", .low: "LOW", .none: "TIMETABLE"],
        at: "at", inTime: "in", endsHere: "ends here", problems: nil)

    private static let spanish = WidgetTexts(
        language: .spanish, now: "ahora",
        nextOf: [
            .bus: "próximo autobús", .trolleybus: "próximo autobús", .ferry: "próximo ferri",
            .tram: "próximo tranvía",
        ],
        next: "próximo tren", to: "a", then: "luego", number: "n.º",
        nothing: "Nada en 2 horas", timetableOnly: "Solo el horario: sin datos en vivo",
        old: ("Datos de hace", "min"), waitingAt: "Espera en", towards: "Hacia",
        statuses: [
            .scheduled: "según horario", .onTime: "puntual", .late: "con retraso",
            .early: "adelantado", .cancelled: "cancelado", .skipped: "no para",
            .added: "adicional", .noData: "sin datos",
        ],
        minutesLate: "min tarde", minutesEarly: "min antes", bridge: ("Puente ", ""),
        classes: [.local: "Local", .limited: "Semidirecto", .express: "Exprés"],
        confidences: [.high: "ALTA", .medium: "MEDIA", .low: "BAJA", .none: "HORARIO"],
        at: "en", inTime: "en", endsHere: "termina aquí",
        problems: ProblemTexts(
            notFound: "No existe esa línea o parada",
            wrongParameter: ("El parámetro «", "» no es válido"), other: "No disponible",
            recovery: "Cree la dirección de nuevo: /?view=widget"))
}

extension WidgetTexts {
    func countdown(_ seconds: Int) -> String {
        seconds > 0 ? Countdown.text(seconds: seconds) : now
    }

    /// Where a departure goes, or that it ends here.
    func destination(_ departure: Departure) -> String {
        departure.isLastStop ? endsHere : departure.headsign
    }

    /// Such as "Towards Redmond"; "North" as it is, like on the page.
    func towards(_ name: String) -> String {
        let isCompass = name.wholeMatch(of: /(?i)(north|south|east|west|in|out)(bound)?/) != nil
        return isCompass ? name : "\(towards) \(name)"
    }

    func next(_ kind: TransitKind?) -> String { kind.flatMap { nextOf[$0] } ?? next }

    /// Such as "3 min late", "on time" or "cancelled".
    func status(_ departure: Departure) -> String {
        let minutes = max(1, (abs(departure.delaySeconds ?? 0) + 30) / 60)
        switch departure.status {
        case .late where departure.delaySeconds != nil: return "\(minutes) \(minutesLate)"
        case .early where departure.delaySeconds != nil: return "\(minutes) \(minutesEarly)"
        case let status: return statuses[status] ?? ""
        }
    }

    /// What is wrong; in English with what a wrong parameter takes.
    func message(_ problem: Problem) -> String {
        let isParameter = problem.status == .badRequest
        guard let problems else {
            return EmbedConfigurationInvalid(problem)?.reason ?? problem.detail
        }
        switch (problem.code, problem.parameter) {
        case (.notFound, _): return problems.notFound
        case (_, let parameter?) where isParameter:
            return problems.wrongParameter.before + parameter + problems.wrongParameter.after
        default: return problems.other
        }
    }

    /// What is wrong and what to do about it, for those who do not see the picture.
    func title(_ problem: Problem) -> String {
        guard let invalid = EmbedConfigurationInvalid(problem) else { return message(problem) }
        guard let problems else { return "\(invalid). \(invalid.recovery)" }
        return "\(message(problem)). \(problems.recovery)"
    }

    func age(seconds: Double) -> String {
        "\(old.before) \(max(1, Int((seconds / 60).rounded()))) \(old.after)"
    }

    /// What a bridge may do to one of the departures, such as "541: Montlake Bridge: +4 min, 31 in 100".
    ///
    /// A bus that waits comes first, then the likeliest to be stopped. Nil where nothing is worth a line.
    /// - Parameter isShort: Whether the bridge has its bare name, and the line one only where it waits.
    func bridge(of content: WidgetContent, isShort: Bool) -> String? {
        // The smallest one of a line shows one departure.
        let isSingle = content.line != nil && content.options.size == .small
        let shown = isSingle ? content.rows.prefix(1) : content.rows[...]
        let met = shown.flatMap { entry in entry.bridges.map { (entry, $0) } }
            .filter { $0.1.isWorthALine }
        let weightiest =
            met.first { $0.1.isWaiting }
            ?? met.max {
                ($0.1.delay?.probabilityDelayed ?? 0) < ($1.1.delay?.probabilityDelayed ?? 0)
            }
        guard let (entry, ahead) = weightiest else { return nil }
        let isNamed = content.line == nil && (!isShort || ahead.isWaiting)
        let line = isNamed ? entry.route.map { "\($0.title): " } ?? "" : ""
        let name = BridgeCatalogue[ahead.bridge].name
        let spoken = isShort ? name : "\(bridge.before)\(name)\(bridge.after)"
        guard !ahead.isWaiting, let delay = ahead.delay else {
            return "\(line)\(waitingAt) \(spoken)"
        }
        let minutes = max(1, Int((delay.expectedSecondsIfDelayed / 60).rounded()))
        let chance =
            isShort && language == .spanish
            ? "\(Int((delay.probabilityDelayed * 100).rounded())) %"
            : PageTexts.of(language).chance(delay.probabilityDelayed)
        return "\(line)\(spoken)\(isShort ? "" : ":") +\(minutes) min, \(chance)"
    }

    /// A countdown that is read out, such as "in 5 min".
    func minutes(_ seconds: Int) -> String {
        seconds < 60 ? now : "\(inTime) \(seconds / 60) min"
    }
}
