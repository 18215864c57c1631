// The media types of answers, and their negotiation by Accept. (Hummingbird's MediaType does not know quality values.)

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
    /// The same bytes as ``protobuf``, for clients that know no other binary form.
    case octets = "application/octet-stream"
    case calendar = "text/calendar"
    case html = "text/html"
    case svg = "image/svg+xml"
    case png = "image/png"

    package var contentType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8; header=present"
        case .calendar: "text/calendar; charset=utf-8"
        case .html: "text/html; charset=utf-8"
        case .svg: "image/svg+xml; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        default: rawValue
        }
    }

    /// The offered media type that a client prefers, the first of them if it does not care.
    ///
    /// Quality values and wildcards count as in RFC 9110, 12.5.1.
    /// - Throws: ``Problem`` 406 that lists the media types, if the client accepts none of them.
    package static func chosen(
        of offered: [MediaType], accept: String?
    ) throws(Problem) -> MediaType {
        guard let accept, !accept.isEmpty, let first = offered.first else { return offered[0] }
        if accept == "*/*" || accept == first.rawValue { return first }
        let ranges = WeightedList.elements(of: accept)
        var best: (type: MediaType, quality: Double)?
        for type in offered {
            let quality = quality(of: type, in: ranges)
            if quality > best?.quality ?? 0 { best = (type, quality) }
        }
        guard let best else {
            throw Problem(
                .notAcceptable, "none of the accepted media types is available",
                recovery: "accept \(offered.map(\.rawValue).joined(separator: " or "))",
                parameter: "Accept", near: offered.map(\.rawValue))
        }
        return best.type
    }

    /// The quality that the most precise of the matching ranges states; 0 if none matches.
    private static func quality(of type: MediaType, in ranges: [WeightedList.Element]) -> Double {
        let names = type.rawValue.split(separator: "/")
        var best = (precision: -1, quality: 0.0)
        for range in ranges {
            let parts = range.name.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, zip(parts, names).allSatisfy({ $0 == "*" || $0 == $1 }) else {
                continue
            }
            let precision = parts.count { $0 != "*" }
            if precision > best.precision { best = (precision, range.quality) }
        }
        return best.quality
    }
}

/// A list with quality values, such as Accept or Accept-Language (RFC 9110, 12.4.2).
enum WeightedList {
    struct Element {
        /// In small letters, without parameters.
        let name: String
        /// 1 unless stated, 0 if malformed.
        let quality: Double
    }

    static func elements(of field: String) -> [Element] {
        field.split(separator: ",").map { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let stated = parts.dropFirst().first { $0.hasPrefix("q=") }
            return Element(
                name: (parts.first ?? "").lowercased(),
                quality: stated.map { Double($0.dropFirst(2)) ?? 0 } ?? 1)
        }
    }
}
