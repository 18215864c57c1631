// A finding about a feed as JSON; part of reports, and a line of `feed check --format ndjson`.
package import BridgecastAnswers
package import BridgecastTransit

/// A finding for documents.
package struct NoticeEntry: Sendable, JSONAnswer {
    private let notice: FeedNotice

    /// An entry of a finding.
    package init(_ notice: FeedNotice) { self.notice = notice }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("severity", notice.severity.rawValue)
            json.field("code", notice.code)
            json.field("file", notice.file.isEmpty ? nil : notice.file)
            json.field("line", notice.line)
            json.field("field", notice.field.isEmpty ? nil : notice.field)
            json.field("message", notice.message)
        }
    }
}

extension JSONWriter {
    /// Writes two fields into an object that is open: how often each kind was found, and the first of each.
    mutating func notices(_ notices: FeedNotices) {
        list("notice_counts", notices.counts) { json, count in
            json.object { json in
                json.field("severity", count.severity.rawValue)
                json.field("code", count.code)
                json.field("file", count.file.isEmpty ? nil : count.file)
                json.field("count", count.count)
            }
        }
        list("notices", notices.kept.map { NoticeEntry($0) })
    }
}
