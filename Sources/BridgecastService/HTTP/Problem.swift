// Problem documents (RFC 9457): what handlers throw and clients read. Refusals on a connection are in Refusal.swift.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastEngine
package import BridgecastRouting
package import BridgecastSupport
package import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A refusal or failure in the form reported to a client.
///
/// It never contains a file path, an internal address or the text of an internal error.
package struct Problem: Error, Sendable, Equatable {
    package enum Code: String, Sendable, CaseIterable {
        case badParameter = "bad_parameter"
        case unknownParameter = "unknown_parameter"
        case missingParameter = "missing_parameter"
        case badBody = "bad_body"
        case badRequest = "bad_request"
        case notFound = "not_found"
        case methodNotAllowed = "method_not_allowed"
        case notAcceptable = "not_acceptable"
        case requestTimeout = "request_timeout"
        case bodyTooLarge = "body_too_large"
        case urlTooLong = "url_too_long"
        case headersTooLarge = "headers_too_large"
        case unsupportedMediaType = "unsupported_media_type"
        case unprocessable = "unprocessable"
        case tooManyRequests = "too_many_requests"
        case unauthorised = "unauthorised"
        case overloaded = "overloaded"
        case notReady = "not_ready"
        // Of stop boards of the nearest station, by the names that the apps of such boards use.
        case noLocation
        case cacheStale
        case noStation
        case noData
        case apiError
        case internalError = "internal_error"
    }

    package let code: Code
    /// What is wrong, where, for a person.
    package var detail: String
    package var recovery: String
    /// Seconds after which it may be tried again; nil where that would not help.
    package var retryAfterSeconds: Int?
    package var parameter: String?
    /// Values that are valid, the nearest first.
    package var near: [String] = []
    /// Additional header fields of the answer, such as Allow.
    package var fields = HTTPFields()

    package init(
        _ code: Code, _ detail: String, recovery: String, parameter: String? = nil,
        near: [String] = [], retryAfterSeconds: Int? = nil
    ) {
        self.code = code
        self.detail = detail
        self.recovery = recovery
        self.parameter = parameter
        self.near = near
        self.retryAfterSeconds = retryAfterSeconds
    }

    package var status: HTTPResponse.Status {
        switch code {
        case .badParameter, .unknownParameter, .missingParameter, .badBody, .badRequest,
            .noLocation, .cacheStale:
            .badRequest
        case .notFound, .noStation, .noData: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notAcceptable: .notAcceptable
        case .requestTimeout: .requestTimeout
        case .bodyTooLarge: .contentTooLarge
        case .urlTooLong: .uriTooLong
        case .headersTooLarge: .requestHeaderFieldsTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .unprocessable: .unprocessableContent
        case .tooManyRequests: .tooManyRequests
        case .unauthorised: .unauthorized
        case .overloaded, .notReady, .apiError: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }

    /// A parameter whose value is not valid.
    package static func parameter(
        _ name: String, _ detail: String, takes: String, near: [String] = []
    ) -> Problem {
        Problem(
            .badParameter, "\(name): \(detail)", recovery: "\(name) takes \(takes)",
            parameter: name, near: near)
    }

    /// A body that cannot be used, at a location in it.
    package static func body(_ problem: DocumentProblem, takes: String) -> Problem {
        Problem(
            .unprocessable, "\(problem.location): \(problem.problem)",
            recovery: "correct that; /openapi.json shows the form of \(takes)",
            parameter: problem.location)
    }
}

struct ProblemAnswer: JSONObjectAnswer {
    let problem: Problem
    /// The request's id; nil where there was no whole request.
    let requestID: String?

    func writeFields(into json: inout JSONWriter) {
        json.field("type", "about:blank")
        json.field("title", problem.status.reasonPhrase)
        json.field("status", problem.status.code)
        json.field("code", problem.code.rawValue)
        json.field("detail", problem.detail)
        json.field("recovery", problem.recovery)
        json.field("retry_after_s", problem.retryAfterSeconds)
        if let parameter = problem.parameter { json.field("parameter", parameter) }
        if !problem.near.isEmpty { json.list("suggestions", problem.near) }
        json.field("request_id", requestID)
    }

    static func response(_ problem: Problem, _ context: ServiceContext) -> Response {
        let bytes = ProblemAnswer(problem: problem, requestID: context.id).jsonBytes()
        var fields = problem.fields
        fields[.contentType] = MediaType.problem.contentType
        fields[.cacheControl] = "no-store"
        if let seconds = problem.retryAfterSeconds { fields[.retryAfter] = String(seconds) }
        // The rest of such a body is not read: it may be endless.
        if endsConnection(problem) { fields[.connection] = "close" }
        return Response(
            status: problem.status, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func endsConnection(_ problem: Problem) -> Bool {
        [.contentTooLarge, .unsupportedMediaType, .requestTimeout].contains(problem.status)
    }
}

extension Problem {
    /// A failed ranking.
    ///
    /// - Parameter departing: The parameter that set the departure.
    init(_ error: RankingError, departing parameter: String = "depart") {
        switch error {
        case .forecast(let error): self.init(error)
        case .trip(let error): self.init(error)
        case .route, .curveTooLarge, .sameID:
            self.init(
                .unprocessable, error.description, recovery: "correct or leave out what is named")
        case .weights:
            self = .parameter("weights", error.description, takes: "what the detail says")
        case .departureInThePast, .departureTooFar, .window:
            self = .parameter(
                parameter, error.description,
                takes: "a time from now to 366 days ahead, such as 2026-02-20T17:50")
        case .deadlineBeforeDeparture:
            self = .parameter("arrive_by", error.description, takes: "a time after the departure")
        case .confidence:
            self = .parameter(
                "confidence", error.description, takes: "a probability above 0 and below 1")
        case .table: self.init(.notFinite(request: 0))
        }
    }

    private init(_ error: RoutePlanError) {
        switch error {
        case .noWay:
            self.init(
                .notFound, error.description,
                recovery: "try another mode, or a place on the same side of the water",
                parameter: "mode", near: Route.Mode.allCases.map(\.rawValue))
        case .samePlace, .foreignNetwork:
            self = .parameter("to", error.description, takes: "another place than from")
        }
    }

    /// Ranks, with errors as problems.
    ///
    /// - Parameter departing: The parameter that set the departure.
    static func catchingRanking<Result>(
        departing parameter: String = "depart", _ body: () throws(RankingError) -> Result
    ) throws(Problem) -> Result {
        do {
            return try body()
        } catch { throw Problem(error, departing: parameter) }
    }

    static func catchingRanking<Result>(
        _ body: () async throws(RankingError) -> Result
    ) async throws(Problem) -> Result {
        do {
            return try await body()
        } catch { throw Problem(error) }
    }
}

extension Problem {
    init(_ error: InferenceError) {
        switch error {
        case .overloaded, .queueFull, .cancelled, .deadlineExceeded:
            self.init(
                .overloaded, "too many forecasts are under way", recovery: "try again in a second",
                retryAfterSeconds: 1)
        case .tooLarge(let rows, _):
            self.init(
                .unprocessable, "it takes \(rows) rows, more than may run at a time",
                recovery: "ask for less")
        case .lead, .density, .departureInThePast, .reach, .noMode:
            self.init(
                .badRequest, "nothing can be forecast for that",
                recovery: "ask for an arrival from now to 366 days ahead")
        case .notFinite:
            self.init(
                .internalError, "the model gave no forecast",
                recovery: "try again after the next reading", retryAfterSeconds: 20)
        }
    }

    static func catching<Result>(
        _ body: () throws(InferenceError) -> Result
    ) throws(Problem) -> Result {
        do {
            return try body()
        } catch { throw Problem(error) }
    }
}
