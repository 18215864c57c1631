// `/history`: openings, a page at a time, as JSON, CSV or NDJSON. `/days/{date}`: a day as it was, with the forecasts as
// issued then.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastSupport
private import Foundation
internal import HTTPTypes

enum HistoryEndpoint {
    static let all = [
        Endpoint.getHeavy(
            "\(EndpointTable.base)/history", ["bridge", "from", "to", "limit", "offset"],
            forms: [.json, .csv, .ndjson], page)
    ]

    @Sendable private static func page(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let form = request.form
        let query = request.query
        let bridge = try query.bridge()
        let from = try query.start("from") ?? .earliest
        let to = try query.end("to") ?? .latest
        guard from <= to else {
            throw Problem.parameter("to", "is before from", takes: "a date or time after from")
        }
        let (offset, limit) = try query.page()
        let records = try request.state.records.records(request.state)
        let list = records.list
        let page = list.page(of: bridge, in: from..<to, offset: offset, limit: limit)
        let end = offset + page.openings.count
        let isLast = end >= page.total || page.openings.isEmpty
        let next = isLast ? nil : address(query, of: bridge, limit: limit, offset: end)
        let document = HistoryDocument(
            envelope: Envelope(
                at: list.time, model: request.state.parts.inference.model.header,
                sources: [SourceStatus(records: records.history, at: list.time)]), list: list,
            page: page, limit: limit, offset: offset, next: next)
        var answer = ServiceAnswer(form, bytes(document, form), keeping: .seconds(60))
        if let next { answer.fields[.link] = "<\(next)>; rel=\"next\"" }
        return answer
    }

    private static func bytes(_ document: HistoryDocument, _ form: MediaType) -> [UInt8] {
        switch form {
        case .csv: document.csvBytes()
        case .ndjson: document.ndjsonBytes()
        default: document.jsonBytes()
        }
    }

    private static func address(
        _ query: Query, of bridge: BridgeIndex?, limit: Int, offset: Int
    ) -> String {
        var parameters = ["from", "to"].compactMap { name in
            query.text(name).map { "\(name)=\(Self.encoded($0))" }
        }
        if let bridge { parameters.insert("bridge=\(BridgeCatalogue[bridge].id)", at: 0) }
        parameters += ["limit=\(limit)", "offset=\(offset)"]
        return "\(EndpointTable.base)/history?" + parameters.joined(separator: "&")
    }

    /// A text as a value in a query: all but letters, digits and `-._~:` percent-encoded.
    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:")
}

extension HTTPField.Name { fileprivate static let link = known("Link") }

extension Query {
    /// The beginning of a period, nil if it is missing; a date alone is its midnight in Seattle.
    fileprivate func start(_ name: String) throws(Problem) -> Timestamp? {
        guard let date = text(name).flatMap(TimeText.parseDate) else { return try time(name) }
        return SeattleTime.startOfDay(date)
    }

    /// The end of a period, exclusive, nil if it is missing; a date alone is the end of that day.
    fileprivate func end(_ name: String) throws(Problem) -> Timestamp? {
        guard let date = text(name).flatMap(TimeText.parseDate) else { return try time(name) }
        return SeattleTime.startOfDay(date.adding(days: 1))
    }
}

enum DayEndpoint {
    static let all = [Endpoint.getHeavy("\(EndpointTable.base)/days/{date}", ["forecasts"], day)]

    @Sendable private static func day(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let text = request.path.first ?? ""
        guard let date = TimeText.parseDate(text) else {
            throw Problem.parameter(
                "date", "'\(printable(text, maxLength: 40))' is not a date",
                takes: "a day in Seattle such as 2026-02-20")
        }
        let forecasts = try request.query.flag("forecasts", default: true)
        let state = request.state
        let records = try state.records.records(state)
        let today = SeattleTime.civil(at: records.list.time).date
        guard date <= today else {
            throw Problem(
                .notFound, "\(date) has not begun in Seattle",
                recovery: "ask for a day up to \(today); forecasts of later times are at "
                    + "\(EndpointTable.base)/forecast", parameter: "date", near: ["\(today)"])
        }
        let named = state.models.named
        let key = [date.dayNumber, forecasts ? 1 : 0] + records.key(of: date, named)
        let document = try await state.records.days.document(key) {
            let day = try await DayDocument.make(
                date, at: records.list.time, history: records.history, reader: records.reader,
                openings: records.list, inference: state.parts.inference, model: named.model,
                forecasts: forecasts)
            guard let day else {
                throw Problem(
                    .notFound, "\(date) has only just begun in Seattle",
                    recovery: "try again in a minute", parameter: "date", retryAfterSeconds: 60)
            }
            return day.jsonBytes()
        }
        return ServiceAnswer(.json, .shared(document), keeping: .seconds(60))
    }
}

extension ModelHeader {
    /// A hash of the model, valid within this run of the program.
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
