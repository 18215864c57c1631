// The texts that the service writes into the page, in each language, and the choice of the language.
internal import BridgecastCore

struct PageTexts: Sendable {
    /// Bridge, state, when it was read, chance now, chance in a quarter of an hour.
    let columns: [String]
    let unknown: String
    let noReading: String
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
    let days: [String]
    let months: [String]

    static func of(_ language: PageLanguage) -> PageTexts {
        switch language {
        case .english: english
        case .spanish: spanish
        }
    }

    private static let english = PageTexts(
        columns: ["Bridge", "State", "As of", "Stopped now", "Stopped in 15 min"],
        unknown: "not known: usual for the hour", noReading: "no reading", raised: "raised",
        lowered: "lowered", lasting: "for", lessThanAMinute: "less than 1 min", since: "since",
        underOne: "under 1 in 100", overNinetyNine: "over 99 in 100", inHundred: "in 100",
        live: "Live, as of", lastReading: ("Last reading", "min ago,"),
        tryingAgain: "Trying again.", noReadingSince: "No live reading since",
        noReadingAtAll: "No live reading.", showingClimatology: "Showing the usual for the hour.",
        asOf: "As of",
        replay: "Replay:", notYet: "Reading the bridges. Load the page again in a moment.",
        loadAgain: "Load the page again for a newer reading.",
        days: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
        months: [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ])

    private static let spanish = PageTexts(
        columns: ["Puente", "Estado", "Leído", "Parada ahora", "Parada en 15 min"],
        unknown: "desconocido: lo habitual a esta hora", noReading: "sin lectura",
        raised: "levantado", lowered: "bajado", lasting: "desde hace",
        lessThanAMinute: "menos de 1 min", since: "a las", underOne: "menos de 1 de cada 100",
        overNinetyNine: "más de 99 de cada 100", inHundred: "de cada 100",
        live: "En directo, a las", lastReading: ("Última lectura hace", "min, a las"),
        tryingAgain: "Se intenta de nuevo.", noReadingSince: "Sin lectura en directo desde las",
        noReadingAtAll: "Sin lectura en directo.",
        showingClimatology: "Se muestra lo habitual a esta hora.",
        asOf: "A las", replay: "Repetición:",
        notYet: "Se están leyendo los puentes. Vuelva a cargar la página en un momento.",
        loadAgain: "Vuelva a cargar la página para una lectura más reciente.",
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
