// The languages that the service writes into the page, and which of them a browser asks for.

/// A language of the page.
enum PageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case spanish = "es"

    /// The language that a browser likes best (RFC 9110, 12.5.4); English if it likes none of them.
    init(accept: String?) {
        var best = (language: PageLanguage.english, quality: 0.0)
        for range in accept?.split(separator: ",").prefix(32) ?? [] {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let name = parts.first?.lowercased().split(separator: "-").first ?? ""
            let stated = parts.dropFirst().first { $0.hasPrefix("q=") }
            let quality = stated.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            guard let language = Self(rawValue: String(name)), quality > best.quality else {
                continue
            }
            best = (language, quality)
        }
        self = best.language
    }
}
