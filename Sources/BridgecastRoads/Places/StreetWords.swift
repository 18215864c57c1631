// The words of street names with their short forms; StreetName takes names apart with them.

/// Words of street names, short and long.
enum StreetWords {
    /// Parts of the city by their short forms.
    static let directions = [
        "n": "north", "s": "south", "e": "east", "w": "west", "ne": "northeast",
        "nw": "northwest", "se": "southeast", "sw": "southwest",
    ]
    /// Kinds of streets by their short forms.
    static let types = [
        "ave": "avenue", "st": "street", "blvd": "boulevard", "dr": "drive", "pl": "place",
        "way": "way", "rd": "road", "ct": "court", "ln": "lane", "ter": "terrace",
        "pkwy": "parkway", "cir": "circle", "hwy": "highway", "sq": "square", "trl": "trail",
        "plz": "plaza", "aly": "alley",
    ]
    /// Kinds of which there is one of a number or a name as a rule.
    static let usualTypes: Set<String> = ["ave", "st", "way", "blvd"]
    static let ordinals = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
        "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
        "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
        "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50,
        "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90,
    ]
    static let tens = [
        "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
        "eighty": 80, "ninety": 90,
    ]
    private static let others = [
        "mt": ("mount", "mount"), "av": ("ave", "avenue"), "wy": ("way", "way"),
        "bl": ("blvd", "boulevard"), "terr": ("ter", "terrace"), "ft": ("fort", "fort"),
        "saint": ("st", "saint"),
    ]

    /// Short and long forms by any form.
    private static let known: [String: StreetName.Word] = {
        var known: [String: StreetName.Word] = [:]
        for (short, long) in Array(directions) + Array(types) {
            known[short] = StreetName.Word(short: short, long: long)
            known[long] = known[short]
        }
        for (word, (short, long)) in others {
            known[word] = StreetName.Word(short: short, long: long)
        }
        for (word, number) in ordinals {
            known[word] = StreetName.Word(short: "\(number)", long: word)
        }
        return known
    }()

    /// A folded word as it is compared; several for a short form of several, none for what nobody says.
    static func words(_ folded: String) -> [StreetName.Word] {
        if let word = known[folded] { return [word] }
        switch folded {
        case "jr", "junior": return []
        case "mlk":
            return ["martin", "luther", "king"].map { StreetName.Word(short: $0, long: $0) }
        default: break
        }
        if let digit = folded.utf8.first, (48...57).contains(digit) {
            let digits = folded.prefix { $0.isASCII && $0.isNumber }
            if ["st", "nd", "rd", "th"].contains(folded.dropFirst(digits.count)) {
                return [StreetName.Word(short: String(digits), long: folded)]
            }
        }
        return [StreetName.Word(short: folded, long: folded)]
    }
}
