// The texts that the service writes into the page, in each language, and the choice of the language.
internal import BridgecastCore
internal import BridgecastSupport

struct PageTexts: Sendable {
    let headline: HeadlineTexts
    /// The same of a reading that is over a minute old.
    let pastHeadline: HeadlineTexts
    /// The first line while no bridge is seen, in either tense.
    let blind: String
    /// The numbers from one to that of all bridges, as text.
    let counts: [String]
    /// Before the last name of a list of two, and of a longer one.
    let and: (two: String, more: String)
    /// Whether 18:05 is 6:05 PM.
    let hasTwelveHours: Bool

    /// Bridge, state, chance now, chance in a quarter of an hour.
    let columns: [String]
    /// In place of the state: the bridge has no sensor, its sensor is silent, or there is no feed.
    let noSensor: String
    let noReading: String
    let climatology: String
    let raised: String
    let lowered: String
    /// Before a duration.
    let lasting: String
    let lessThanAMinute: String
    /// Before a start time.
    let since: String
    let underOne: String
    let overNinetyNine: String
    let inHundred: String

    let live: String
    /// Before and after the age of the last reading, minutes.
    let lastReading: (before: String, after: String)
    let tryingAgain: String
    let noReadingSince: String
    let noReadingAtAll: String
    let showingClimatology: String
    let asOf: String
    let replay: String
    let notYet: String
    let loadAgain: String
    /// Before the modules have come, with a link to the page itself.
    let starting: (before: String, link: String, after: String)
    let days: [String]
    let months: [String]

    static func of(_ language: PageLanguage) -> PageTexts {
        switch language {
        case .english: english
        case .spanish: spanish
        }
    }

    private static let english = PageTexts(
        headline: HeadlineTexts(
            oneUp: "{names} is up.", up: "{names} are up.",
            oneDown: "{names} is down; no other bridge reports.",
            allDown: "All {count} watched bridges are down.",
            reportingDown: "All {count} bridges that report are down."),
        pastHeadline: HeadlineTexts(
            oneUp: "{names} was up.", up: "{names} were up.",
            oneDown: "{names} was down; no other bridge reported.",
            allDown: "All {count} watched bridges were down.",
            reportingDown: "All {count} bridges that reported were down."),
        blind: "We cannot see the bridges.",
        counts: ["one", "two", "three", "four", "five", "six", "seven"],
        and: (two: " and ", more: ", and "), hasTwelveHours: true,
        columns: ["Bridge", "State", "Stopped now", "Stopped in 15 min"],
        noSensor: "no sensor: forecast without one", noReading: "no reading: forecast without one",
        climatology: "not known: usual, from climatology", raised: "raised",
        lowered: "lowered", lasting: "for", lessThanAMinute: "less than 1 min", since: "since",
        underOne: "under 1 in 100", overNinetyNine: "over 99 in 100", inHundred: "in 100",
        live: "Live, as of", lastReading: ("Last reading", "min ago,"),
        tryingAgain: "Trying again.", noReadingSince: "No live reading since",
        noReadingAtAll: "No live reading.", showingClimatology: "Showing the usual for the hour.",
        asOf: "As of",
        replay: "Replay:", notYet: "Reading the bridges. Load the page again in a moment.",
        loadAgain: "Load the page again for a newer reading.",
        starting: ("Reading the bridges. If nothing follows, ", "load the page again", "."),
        days: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
        months: [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ])

    private static let spanish = PageTexts(
        headline: HeadlineTexts(
            oneUp: "{names} está levantado.", up: "{names} están levantados.",
            oneDown: "{names} está bajado; ningún otro informa.",
            allDown: "Los {count} puentes vigilados están bajados.",
            reportingDown: "Los {count} puentes que informan están bajados."),
        pastHeadline: HeadlineTexts(
            oneUp: "{names} estaba levantado.", up: "{names} estaban levantados.",
            oneDown: "{names} estaba bajado; ningún otro informaba.",
            allDown: "Los {count} puentes vigilados estaban bajados.",
            reportingDown: "Los {count} puentes que informaban estaban bajados."),
        blind: "No se ven los puentes.",
        counts: ["un", "dos", "tres", "cuatro", "cinco", "seis", "siete"],
        and: (two: " y ", more: " y "), hasTwelveHours: false,
        columns: ["Puente", "Estado", "Parada ahora", "Parada en 15 min"],
        noSensor: "sin sensor: pronóstico sin él", noReading: "sin lectura: pronóstico sin ella",
        climatology: "no se sabe: lo habitual, según la climatología", raised: "levantado",
        lowered: "bajado", lasting: "desde hace",
        lessThanAMinute: "menos de 1 min", since: "a las", underOne: "menos de 1 de cada 100",
        overNinetyNine: "más de 99 de cada 100", inHundred: "de cada 100",
        live: "En directo, a las", lastReading: ("Última lectura hace", "min, a las"),
        tryingAgain: "Se intenta de nuevo.", noReadingSince: "Sin lectura en directo desde las",
        noReadingAtAll: "Sin lectura en directo.",
        showingClimatology: "Se muestra lo habitual a esta hora.",
        asOf: "A las", replay: "Repetición:",
        notYet: "Se están leyendo los puentes. Vuelva a cargar la página en un momento.",
        loadAgain: "Vuelva a cargar la página para una lectura más reciente.",
        starting: (
            "Leyendo los puentes. Si no aparece nada más, ", "vuelva a cargar la página", "."
        ),
        days: ["lun", "mar", "mié", "jue", "vie", "sáb", "dom"],
        months: [
            "ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic",
        ])
}

extension PageTexts {
    func chance(_ probability: Double) -> String {
        if probability < 0.01 { return underOne }
        if probability > 0.99 { return overNinetyNine }
        return "\(Int((probability * 100).rounded())) \(inHundred)"
    }

    /// Names as a list: a, b, and c.
    func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        let separator = names.count == 2 ? and.two : and.more
        return names.dropLast().joined(separator: ", ") + separator + last
    }

    /// A time of day in Seattle, such as 6:05 PM or 18:05, as the page shows it.
    func clock(_ time: Timestamp, hasSeconds: Bool = false) -> String {
        clock(secondOfDay: SeattleTime.civil(at: time).secondOfDay, hasSeconds: hasSeconds)
    }

    /// A time of day, such as 6:05 PM or 18:05.
    func clock(secondOfDay second: Int, hasSeconds: Bool = false) -> String {
        let hour = second / 3600
        let rest =
            ":" + ClockText.twoDigits(second / 60 % 60)
            + (hasSeconds ? ":" + ClockText.twoDigits(second % 60) : "")
        // The page's locale has 6:05 PM on one line.
        guard !hasTwelveHours else {
            return "\((hour + 11) % 12 + 1)\(rest)\u{A0}\(hour < 12 ? "AM" : "PM")"
        }
        return "\(hour)\(rest)"
    }

    /// The day of a time in Seattle, such as Fri 20 Feb 2026.
    func day(_ time: Timestamp) -> String {
        let date = SeattleTime.civil(at: time).date
        let (year, month, day) = date.parts
        return "\(days[date.weekday.rawValue]) \(day) \(months[month - 1]) \(year)"
    }

    func lasting(minutes: Double) -> String {
        let whole = Int(minutes)
        if whole < 1 { return "\(lasting) \(lessThanAMinute)" }
        return whole < 60
            ? "\(lasting) \(whole) min" : "\(lasting) \(whole / 60) h \(whole % 60) min"
    }
}

enum PageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case spanish = "es"

    /// The language that a browser prefers (RFC 9110, 12.5.4), by default English.
    init(accept: String?) {
        var best = (language: PageLanguage.english, quality: 0.0)
        for range in accept.map(WeightedList.elements)?.prefix(32) ?? [] {
            let name = range.name.split(separator: "-").first ?? ""
            guard let language = Self(rawValue: String(name)), range.quality > best.quality else {
                continue
            }
            best = (language, range.quality)
        }
        self = best.language
    }
}
