// agency.txt and feed_info.txt: who runs and who publishes.
internal import BridgecastCore

/// Columns of agency.txt.
enum AgencyColumn: Int, FeedColumn {
    case id, name, url, timeZone
    static let file = "agency.txt"
    static let names = ["agency_id", "agency_name", "agency_url", "agency_timezone"]
    static let required: [Self] = [.name, .timeZone]
    static let others = [
        "agency_lang", "agency_phone", "agency_fare_url", "agency_email", "cemv_support",
    ]
}

/// Columns of feed_info.txt.
enum InfoColumn: Int, FeedColumn {
    case publisher, language, version, firstDay, lastDay
    static let file = "feed_info.txt"
    static let names = [
        "feed_publisher_name", "feed_lang", "feed_version", "feed_start_date", "feed_end_date",
    ]
    static let required: [Self] = []
    static let others = [
        "feed_publisher_url", "default_lang", "feed_contact_email", "feed_contact_url", "feed_id",
    ]
}

extension FeedReader {
    /// agency.txt; at least one.
    mutating func readAgencies() throws(TransitFeedError.Problem) -> [TransitAgency] {
        var agencies: [TransitAgency] = []
        var seen: Set<String> = []
        try forEachRow(of: AgencyColumn.self, isRequired: true) { row, bytes, notices in
            guard row.required(.timeZone, bytes, &notices) != nil else { return }
            let id = row.text(.id, bytes)
            guard seen.insert(id).inserted else {
                return row.noteDuplicate(.id, bytes, &notices)
            }
            if row.range(.name, bytes).isEmpty {
                row.note(.error, "missing_required_field", .name, "is empty", &notices)
            }
            row.checkLetters(of: .id, .name, in: bytes, &notices)
            agencies.append(
                TransitAgency(
                    id: id, name: row.text(.name, bytes), url: row.text(.url, bytes),
                    timeZone: row.text(.timeZone, bytes)))
        }
        guard !agencies.isEmpty else { throw .empty(AgencyColumn.file) }
        return agencies
    }

    /// The clock of the first agency whose clock is known.
    mutating func zone(
        of agencies: [TransitAgency]
    ) throws(TransitFeedError.Problem) -> TransitZone {
        let zones = agencies.lazy.compactMap { TransitZone($0.timeZone) }
        guard let zone = zones.first else { throw .unknownTimeZone(agencies[0].timeZone) }
        if let other = agencies.first(where: { $0.timeZone != zone.identifier }) {
            notices.add(
                .error, "inconsistent_agency_timezone", file: AgencyColumn.file,
                field: "agency_timezone",
                "'\(printable(other.timeZone, most: 40))' of '\(printable(other.name))' is another clock than \(zone.identifier), by which all times are read"
            )
        }
        return zone
    }

    /// feed_info.txt; nil if the feed has none.
    mutating func readInfo() throws(TransitFeedError.Problem) -> FeedInfo? {
        var info: FeedInfo?
        try forEachRow(of: InfoColumn.self, isRequired: false) { row, bytes, notices in
            guard info == nil else {
                return row.note(
                    .warning, "more_than_one_entity", .publisher, "only one row is read", &notices)
            }
            row.checkLetters(of: .publisher, .version, in: bytes, &notices)
            info = FeedInfo(
                publisher: row.text(.publisher, bytes), language: row.text(.language, bytes),
                version: row.text(.version, bytes), firstDay: row.date(.firstDay, bytes, &notices),
                lastDay: row.date(.lastDay, bytes, &notices))
        }
        return info
    }
}
