// What every request passes before its handler (rate limit, parameters, body), and what is added to every answer.
package import BridgecastCore
internal import BridgecastData
internal import BridgecastJourneys
internal import BridgecastSupport
internal import Dispatch
internal import HTTPTypes
internal import Hummingbird
internal import Logging
package import NIOCore
internal import Foundation
private import Synchronization

/// Checks before a handler; headers added after it.
///
/// One function rather than a chain of middleware: each link would cost a suspension, and a light answer takes less
/// time than two of them.
struct RequestHandler: Sendable {
    private let state: ServiceState
    private let trust: ProxyTrust
    private let limits: ClientLimits
    private let fileLimits: ClientLimits
    private let times = TimeTextCache()

    init(_ state: ServiceState, _ trust: ProxyTrust) {
        self.state = state
        self.trust = trust
        limits = ClientLimits(state.settings)
        fileLimits = ClientLimits(filesOf: state.settings)
    }

    func respond(
        to request: Request, by resource: ServedResource, pathValues: [Substring],
        _ context: ServiceContext
    ) async -> Response {
        let endpoint = resource.endpoint
        let began = DispatchTime.now().uptimeNanoseconds
        let client = trust.client(peer: ClientAddress(peer: context.peer), fields: request.headers)
        let isPage = endpoint.weight == .file
        let decision = (isPage ? fileLimits : limits).take(client, at: Int64(began))
        var response: Response
        do {
            if let problem = decision?.problem { throw problem }
            let person = try person(request, from: client, at: Int64(began))
            let share = state.bodies.share()
            var accepted = try await read(
                request, for: endpoint, pathValues: pathValues, share: share)
            accepted.person = person
            response = try await answer(accepted, by: resource, for: client, to: request)
            share.giveBack()
        } catch {
            response = ProblemAnswer.response(
                problem(of: error, for: request, in: context), context)
        }
        // A refusal has the fields already.
        if let decision, decision.isAllowed, !isPage { decision.add(to: &response.headers) }
        ResponseFields.complete(&response, id: context.id, for: request, isPage: isPage)
        if !isPage { response.headers[.serviceTime] = times.text(state.now) }
        let nanoseconds = DispatchTime.now().uptimeNanoseconds - began
        resource.meters.count(response.status, nanoseconds: nanoseconds)
        state.log.debug(
            "request",
            metadata: [
                "request_id": "\(context.id)", "method": "\(request.method)",
                "path": "\(printable(request.uri.path, maxLength: 200))",
                "status": "\(response.status.code)", "us": "\(nanoseconds / 1000)",
            ])
        return response
    }

    /// The person whose token a request has; nil where none is needed.
    ///
    /// All below a path needs one, so that no resource can be left open.
    private func person(
        _ request: Request, from client: ClientAddress, at nanoseconds: Int64
    ) throws -> AuthorisedPerson? {
        guard PrivateResources.contains(request.uri.path), request.method != .options else {
            return nil
        }
        guard let people = state.parts.people else {
            throw Problem(
                .notFound, "this service has no journals",
                recovery: "ask the operator to start it with --people")
        }
        return try people.person(request.headers, from: client, at: nanoseconds)
    }

    private func read(
        _ request: Request, for endpoint: Endpoint, pathValues: [Substring], share: BodyBudget.Share
    ) async throws -> ServiceRequest {
        // Preflights and refusals ignore both the query and Accept.
        let form =
            endpoint.parameters == nil
            ? .json : try MediaType.chosen(of: endpoint.forms, accept: request.headers[.accept])
        let (query, problem) = try Self.query(request.uri.query?[...], of: endpoint)
        let body = try await RequestBodyReader.body(
            of: request, for: endpoint, state.settings, share)
        return ServiceRequest(
            query: query, path: try pathValues.map(Self.decoded), form: form,
            lastEventID: request.headers[.lastEventID], body: body, now: state.now, state: state,
            queryProblem: problem,
            acceptLanguage: endpoint.weight == .file ? request.headers[.acceptLanguage] : nil)
    }

    /// The query, and what is wrong with it where the handler shows that.
    private static func query(
        _ text: Substring?, of endpoint: Endpoint
    ) throws(Problem) -> (Query, Problem?) {
        guard let known = endpoint.parameters else { return (Query(), nil) }
        guard endpoint.showsWrongQueries else { return (try Query(text, known: known), nil) }
        return Query.reading(text, known: known)
    }

    /// A path parameter as text.
    ///
    /// - Throws: ``Problem`` 400 where it is not UTF-8.
    private static func decoded(_ value: Substring) throws(Problem) -> String {
        if let text = String(value).removingPercentEncoding { return text }
        throw Problem(
            .badRequest, "the path is not percent-encoded UTF-8",
            recovery: "encode it as RFC 3986 requires")
    }

    private func answer(
        _ accepted: ServiceRequest, by resource: ServedResource, for client: ClientAddress,
        to request: Request
    ) async throws -> Response {
        let endpoint = resource.endpoint
        if accepted.namesIssueTime {
            let answer = try await state.work.run { try await endpoint.answer(accepted) }
            return ResponseFields.response(answer, to: request, accepted)
        }
        if let shared = resource.shared, let period = endpoint.sharedFor {
            let answer = try await answer(
                accepted, by: endpoint, for: period, from: shared, request)
            return ResponseFields.response(answer, to: request, accepted)
        }
        switch (endpoint.weight, endpoint.handle) {
        case (.stream, let handle):
            let pass = try limits.openStream(client)
            let answer =
                switch handle {
                case .now(let handle): try handle(accepted)
                case .later(let handle): try await state.work.run { try await handle(accepted) }
                }
            return ResponseFields.response(answer, to: request, accepted) { pass.close() }
        case (_, .now(let handle)):
            return ResponseFields.response(try handle(accepted), to: request, accepted)
        case (_, .later(let handle)):
            let answer = try await state.work.run { try await handle(accepted) }
            return ResponseFields.response(answer, to: request, accepted)
        }
    }

    /// An answer that other clients may have asked for already.
    private func answer(
        _ accepted: ServiceRequest, by endpoint: Endpoint, for period: SharedPeriod,
        from shared: SharedAnswers, _ request: Request
    ) async throws -> ServiceAnswer {
        let epoch = accepted.epoch(period)
        let query = accepted.query.key(without: endpoint.unsharedParameters(accepted.query))
        // Wrong queries with the same problem and the same rest have one answer, too.
        let problem = accepted.queryProblem.map { "\u{0}\($0.detail)" } ?? ""
        let key = "\(accepted.form.contentType) \(request.uri.path)?\(query)\(problem)"
        if let answer = shared.answer(key, in: epoch) { return answer }
        return try await shared.answer(key, in: epoch) { [state] in
            switch endpoint.handle {
            case .now(let handle): try handle(accepted)
            case .later(let handle): try await state.work.run { try await handle(accepted) }
            }
        }
    }

    /// The problem that an error is reported as; details that are not meant for clients are only logged.
    private func problem(
        of error: any Error, for request: Request, in context: ServiceContext
    ) -> Problem {
        if let problem = error as? Problem { return problem }
        state.log.error(
            "request failed",
            metadata: [
                "request_id": "\(context.id)",
                "path": "\(printable(request.uri.path, maxLength: 200))",
                "reason": "\(printable("\(error)", maxLength: 500))",
            ])
        guard (error as? any Failure)?.isTransient == false else {
            return Problem(
                .internalError, "the service failed to answer",
                recovery: "try again; tell the operator the request's id if it fails again",
                retryAfterSeconds: 5)
        }
        return Problem(
            .internalError,
            error is JourneyStoreError
                ? "your journal cannot be used as it is" : "the service failed to answer",
            recovery:
                "tell the operator the request's id, of which the log says what is wrong; until that is mended the same fails again"
        )
    }
}

// MARK: - Body

enum RequestBodyReader {
    /// The body of a request; empty where none is taken.
    ///
    /// - Throws: ``Problem`` 413, 415 or 503.
    static func body(
        of request: Request, for endpoint: Endpoint, _ settings: ServiceSettings,
        _ share: BodyBudget.Share
    ) async throws -> ByteBuffer {
        guard !endpoint.bodyTypes.isEmpty else { return ByteBuffer() }
        // A form without values may be left out, with its type.
        if endpoint.bodyTypes == MeChanges.form, hasNoBody(request) { return ByteBuffer() }
        let stated = request.headers[.contentType]
        let type = stated?.split(separator: ";").first?.lowercased().filter {
            $0 != " " && $0 != "\t"
        }
        guard let type, endpoint.bodyTypes.contains(type) else {
            throw Problem(
                .unsupportedMediaType,
                stated.map { "a body of type '\(printable($0, maxLength: 60))' is not read here" }
                    ?? "the body has no Content-Type",
                recovery: "send \(endpoint.bodyTypes.joined(separator: " or "))",
                parameter: "Content-Type", near: endpoint.bodyTypes)
        }
        if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
            throw Problem(
                .unsupportedMediaType,
                "a body compressed by '\(printable(coding, maxLength: 40))' is not read",
                recovery: "send it uncompressed", parameter: "Content-Encoding")
        }
        let limit = settings.maxBodyBytes
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw tooLarge(limit)
        }
        var bytes = ByteBuffer()
        for try await var piece in request.body {
            guard bytes.readableBytes + piece.readableBytes <= limit else { throw tooLarge(limit) }
            try share.take(piece.readableBytes)
            if bytes.readableBytes == 0 { bytes = piece } else { bytes.writeBuffer(&piece) }
        }
        return bytes
    }

    /// Whether a request says nothing about a body: neither its type nor a length above zero (RFC 9112, 6.3).
    private static func hasNoBody(_ request: Request) -> Bool {
        let fields = request.headers
        return fields[.contentType] == nil && fields[.transferEncoding] == nil
            && fields[.contentLength] ?? "0" == "0"
    }

    private static func tooLarge(_ limit: Int) -> Problem {
        Problem(
            .bodyTooLarge, "the body is larger than \(limit) bytes", recovery: "send less at once")
    }
}

// MARK: - Resource

/// An endpoint of a running service, with its meters and the answers that its clients share.
struct ServedResource: Sendable {
    let endpoint: Endpoint
    let meters: EndpointMeters
    /// Nil where each client has its own answer.
    let shared: SharedAnswers?

    init(_ endpoint: Endpoint, _ meters: EndpointMeters) {
        self.endpoint = endpoint
        self.meters = meters
        shared = endpoint.sharedFor.map { SharedAnswers($0) }
    }
}

// MARK: - Request

package struct ServiceRequest: Sendable {
    package var query: Query
    /// The values of the path's parameters, in order.
    package let path: [String]
    /// The form of the answer that the client likes best.
    package let form: MediaType
    /// The number of the last event that a client of the stream has seen.
    package let lastEventID: String?
    /// The body; empty where there is none.
    package let body: ByteBuffer
    /// When it was received, by the service's clock; the issue time if it names one.
    package var now: Timestamp
    package let state: ServiceState
    /// The snapshot of the issue time that it names; nil for the newest one.
    package var past: BridgesSnapshot? = nil
    /// The person whose token it has; nil except below ``PrivateResources``.
    package var person: AuthorisedPerson? = nil
    /// What is wrong with its query; nil where that is refused before a handler sees it.
    package var queryProblem: Problem? = nil
    /// The value of Accept-Language; read only for files of the page.
    package var acceptLanguage: String? = nil
}

/// Keeps the text of the newest second: all answers of a second have it, and writing it takes longer than the rest.
final class TimeTextCache: Sendable {
    private let kept = Mutex<(time: Timestamp, text: String)?>(nil)

    func text(_ time: Timestamp) -> String {
        kept.withLock { kept in
            if let kept, kept.time == time { return kept.text }
            let text = TimeText.rfc3339(time)
            kept = (time, text)
            return text
        }
    }
}
