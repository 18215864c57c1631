// `/history`: openings, a page at a time, as JSON, CSV or a JSON object a line.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import HTTPTypes

enum HistoryEndpoint {
    static let all = [
        Endpoint.getHeavy(
            "/api/v1/history", ["bridge", "from", "to", "limit", "offset"],
            forms: [.json, .csv, .ndjson], page)
    ]

    private static let limits = 1...1000
    private static let usualLimit = 100
    private static let offsets = 0...100_000_000

    @Sendable
    private static func page(_ request: ServiceRequest) async throws -> ServiceAnswer {
        let form = request.form
        let query = request.query
        let bridge = try query.bridge()
        let from = try query.start("from") ?? .earliest
        let to = try query.end("to") ?? .latest
        guard from <= to else {
            throw Problem.parameter("to", "lies before from", takes: "a date or time after from")
        }
        let limit = try query.integer("limit", in: limits, usual: usualLimit)
        let offset = try query.integer("offset", in: offsets, usual: 0)
        let records = try request.state.records.records(request.state)
        let list = records.list
        let page = list.page(of: bridge, in: from..<to, offset: offset, limit: limit)
        let isLast = offset + page.openings.count >= page.total || page.openings.isEmpty
        let next = isLast ? nil : address(query, bridge, limit, offset + page.openings.count)
        let document = HistoryDocument(
            envelope: Envelope(
                generatedAt: list.moment, issueTime: nil, validAt: list.moment,
                model: request.state.parts.inference.model.header,
                sources: [SourceStatus(records: records.history, at: list.moment)]),
            list: list, page: page, limit: limit, offset: offset, next: next)
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

    /// The same question from another place on.
    private static func address(
        _ query: Query, _ bridge: BridgeIndex?, _ limit: Int, _ offset: Int
    ) -> String {
        var parameters = ["from", "to"].compactMap { name in
            query.text(name).map { "\(name)=\(PercentEncoding.encoded($0))" }
        }
        if let bridge { parameters.insert("bridge=\(BridgeCatalogue[bridge].id)", at: 0) }
        parameters += ["limit=\(limit)", "offset=\(offset)"]
        return "\(EndpointTable.base)/history?" + parameters.joined(separator: "&")
    }
}

extension HTTPField.Name {
    /// `Link` (RFC 8288).
    fileprivate static let link = known("Link")
}

extension Query {
    /// The beginning of a period, nil if it is not there; a date alone is its midnight in Seattle.
    fileprivate func start(_ name: String) throws(Problem) -> Timestamp? {
        guard let date = text(name).flatMap(TimeText.parseDate) else { return try time(name) }
        return SeattleTime.startOfDay(date)
    }

    /// The end of a period, exclusive, nil if it is not there; a date alone is the end of that day.
    fileprivate func end(_ name: String) throws(Problem) -> Timestamp? {
        guard let date = text(name).flatMap(TimeText.parseDate) else { return try time(name) }
        return SeattleTime.startOfDay(date.adding(days: 1))
    }
}
