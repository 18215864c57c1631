// `/days/{date}`: a day as it was, with the forecasts as issued then unless they are not wanted.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import HTTPTypes

enum DayEndpoint {
    static let all = [Endpoint.getHeavy("/api/v1/days/{date}", ["forecasts"], day)]

    @Sendable
    private static func day(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let text = request.path.first ?? ""
        guard let date = TimeText.parseDate(text) else {
            throw Problem.parameter(
                "date", "'\(printable(text, most: 40))' is not one",
                takes: "a day in Seattle such as 2026-02-20")
        }
        let forecasts = try request.query.flag("forecasts", usual: true)
        let state = request.state
        let records = try state.records.records(state)
        let today = SeattleTime.civil(at: records.list.moment).date
        guard date <= today else {
            throw Problem(
                .notFound, .notFound, "\(date) has not begun in Seattle",
                recovery: "ask for a day up to \(today); forecasts of times to come are at "
                    + "\(EndpointTable.base)/forecast",
                parameter: "date", near: ["\(today)"])
        }
        let named = state.models.named
        let key = [date.dayNumber, forecasts ? 1 : 0] + records.key(of: date, named)
        let document = try await state.records.day(key) {
            let day = try await DayDocument.make(
                date, at: records.list.moment, history: records.history, reader: records.reader,
                openings: records.list, inference: state.parts.inference,
                model: named.model, forecasts: forecasts)
            guard let day else {
                throw Problem(
                    .notFound, .notFound, "\(date) has only just begun in Seattle",
                    recovery: "try again in a minute", parameter: "date", retryAfterSeconds: 60)
            }
            return day.jsonBytes()
        }
        return ServiceAnswer(.json, .shared(document), keeping: .seconds(60))
    }
}

extension ModelHeader {
    /// Tells models apart within this run of the program.
    var digest: Int {
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(weightFormat)
        hasher.combine(provenance.commit)
        hasher.combine(provenance.seed)
        hasher.combine(provenance.fittedBefore)
        return hasher.finalize()
    }
}
