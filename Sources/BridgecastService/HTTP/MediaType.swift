// The forms that answers have, and which of them a client's Accept asks for.
private import HTTPTypes

/// A form of an answer.
package enum MediaType: String, Sendable, CaseIterable {
    case json = "application/json"
    case geoJSON = "application/geo+json"
    case csv = "text/csv"
    case ndjson = "application/x-ndjson"
    case events = "text/event-stream"
    case problem = "application/problem+json"
    case openAPI = "application/vnd.oai.openapi+json"
    case prometheus = "text/plain"
    case protobuf = "application/x-protobuf"
    case calendar = "text/calendar"

    /// The value of Content-Type.
    package var contentType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8; header=present"
        case .calendar: "text/calendar; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        default: rawValue
        }
    }

    /// The one of some forms that a client likes best, the first of these if it does not care.
    ///
    /// Quality values and wildcards count as RFC 9110 has it (12.5.1).
    /// - Throws: ``Problem`` 406 that names the forms, if it takes none of them.
    package static func chosen(
        of offered: [MediaType], accept: String?
    ) throws(Problem) -> MediaType {
        guard let accept, !accept.isEmpty, let first = offered.first else { return offered[0] }
        if accept == "*/*" || accept == first.rawValue { return first }
        let ranges = accept.split(separator: ",").map(Range.init)
        var best: (type: MediaType, quality: Double)?
        for type in offered {
            let match = ranges.filter { $0.matches(type) }.max { $0.precision < $1.precision }
            let quality = match?.quality ?? 0
            if quality > best?.quality ?? 0 { best = (type, quality) }
        }
        guard let best else {
            throw Problem(
                .notAcceptable, .notAcceptable, "Accept takes none of the forms there are",
                recovery: "accept \(offered.map(\.rawValue).joined(separator: " or "))",
                parameter: "Accept", near: offered.map(\.rawValue))
        }
        return best.type
    }

    /// One part of Accept.
    private struct Range {
        let type: Substring
        let subtype: Substring
        let quality: Double

        init(_ text: Substring) {
            let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let names = (parts.first ?? "").lowercased().split(separator: "/", maxSplits: 1)
            type = names.first ?? ""
            subtype = names.dropFirst().first ?? ""
            let stated = parts.dropFirst().first { $0.hasPrefix("q=") }
            quality = stated.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        }

        var precision: Int { (type == "*" ? 0 : 1) + (subtype == "*" ? 0 : 1) }

        func matches(_ media: MediaType) -> Bool {
            let names = media.rawValue.split(separator: "/")
            return (type == "*" || type == names[0]) && (subtype == "*" || subtype == names[1])
        }
    }
}
