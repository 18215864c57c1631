// `/days/{date}`: a day as it was, with the forecasts as issued then.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import HTTPTypes

enum DayEndpoint {
    static let all = [Endpoint.getHeavy("/api/v1/days/{date}", [], day)]

    @Sendable
    private static func day(_ request: ServiceRequest) async throws -> ServiceAnswer {
        _ = try MediaType.chosen(of: [.json], accept: request.accept)
        let text = request.path.first ?? ""
        guard let date = TimeText.parseDate(text) else {
            throw Problem.parameter(
                "date", "'\(printable(text, most: 40))' is not one",
                takes: "a day in Seattle such as 2026-02-20")
        }
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
        let key = key(date, records, state.parts.inference.model)
        let document = try await state.records.day(key) {
            let day = try await DayDocument.make(
                date, at: records.list.moment, history: records.history, reader: records.reader,
                openings: records.list, inference: state.parts.inference)
            guard let day else {
                throw Problem(
                    .notFound, .notFound, "\(date) has only just begun in Seattle",
                    recovery: "try again in a minute", parameter: "date", retryAfterSeconds: 60)
            }
            return day.jsonBytes()
        }
        return ServiceAnswer(.json, .shared(document), keeping: .seconds(60))
    }

    /// What a day's document is made from: the date, the model, and the records up to its end.
    private static func key(
        _ date: CivilDate, _ records: RecordShelf.Prepared, _ model: LoadedModel
    ) -> DocumentShelf.Key {
        let end = min(SeattleTime.startOfDay(date.adding(days: 1)), records.list.moment)
        return [date.dayNumber, model.header.digest, records.history.before(end).digest]
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

extension OpeningHistory {
    /// Tells records apart within this run of the program; O(openings).
    fileprivate var digest: Int {
        var hasher = Hasher()
        hasher.combine(openings)
        hasher.combine(coverage.periods)
        return hasher.finalize()
    }
}
