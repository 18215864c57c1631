// What stands in an event of transit: which realtime feeds are new, and how all of them stand.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastTransit
internal import BridgecastTransitAnswers

/// News of realtime feeds for those who listen.
struct TransitEvent: JSONAnswer {
    let news: TransitNews
    let now: Timestamp

    init(_ news: TransitNews, at now: Timestamp) { (self.news, self.now) = (news, now) }

    func write(to json: inout JSONWriter) {
        let (snapshot, zone) = (news.snapshot, news.snapshot.feed.zone)
        json.object { json in
            json.field("generated_at", zone.rfc3339(now))
            json.field("as_of", zone.rfc3339(snapshot.asOf))
            json.list("refreshed", news.refreshed)
            json.field("live_runs", snapshot.runs.count)
            json.field("vehicles", snapshot.vehicles.count)
            json.field("alerts", snapshot.alerts.count)
            json.list("sources", snapshot.sources.map { SourceStatus($0, at: now) })
        }
    }
}
