// What every request passes on its way to a handler, and every answer on its way back; one for a service.
internal import BridgecastCore
internal import Dispatch
internal import Hummingbird
internal import HTTPTypes
internal import Logging
internal import NIOCore

/// Limits in front of handlers, and what all answers have behind them.
///
/// One function in place of a chain of middleware: each link would cost a suspension, and a light answer takes less
/// than two of them.
struct Gate: Sendable {
    private let state: ServiceState
    private let trust: ProxyTrust
    private let limits: ClientLimits
    private let fileLimits: ClientLimits
    private let times = TimeTextMemory()

    init(_ state: ServiceState, _ trust: ProxyTrust) {
        (self.state, self.trust) = (state, trust)
        limits = ClientLimits(state.settings)
        fileLimits = ClientLimits(filesOf: state.settings)
    }

    /// Answers a request by an endpoint.
    func respond(
        to request: Request, by endpoint: Endpoint, pathValues: [Substring],
        _ meters: EndpointMeters, _ context: ServiceContext
    ) async -> Response {
        let began = DispatchTime.now().uptimeNanoseconds
        let client = trust.client(
            peer: ClientAddress(peer: context.peer), fields: request.headers)
        let isPage = endpoint.weight == .file
        let decision = (isPage ? fileLimits : limits).take(client, at: Int64(began))
        var response: Response
        do {
            if let problem = decision?.problem { throw problem }
            let share = state.bodies.share()
            let known = try await read(request, for: endpoint, pathValues, share)
            response = try await answer(known, by: endpoint, client, request)
            share.giveBack()
        } catch {
            response = ProblemAnswer.response(problem(error, request, context), context)
        }
        // A refusal says it already.
        if let decision, decision.isAllowed, !isPage { decision.add(to: &response.headers) }
        ResponseFields.complete(&response, id: context.id, for: request, isPage: isPage)
        if !isPage { response.headers[.serviceTime] = times.text(state.now) }
        let nanoseconds = DispatchTime.now().uptimeNanoseconds - began
        meters.count(response.status, nanoseconds: nanoseconds)
        state.log.debug(
            "request",
            metadata: [
                "request_id": "\(context.id)", "method": "\(request.method)",
                "path": "\(printable(request.uri.path, most: 200))",
                "status": "\(response.status.code)", "us": "\(nanoseconds / 1000)",
            ])
        return response
    }

    /// Reads parameters and body.
    private func read(
        _ request: Request, for endpoint: Endpoint, _ pathValues: [Substring],
        _ share: BodyBudget.Share
    ) async throws -> ServiceRequest {
        // Where nobody looks at parameters nobody looks at forms: preflights and refusals.
        let form =
            endpoint.parameters == nil
            ? .json : try MediaType.chosen(of: endpoint.forms, accept: request.headers[.accept])
        let query = try endpoint.parameters.map { known throws(Problem) in
            try Query(request.uri.query.map { $0[...] }, known: known)
        }
        let body = try await RequestBodyReader.body(
            of: request, for: endpoint, state.settings, share)
        return ServiceRequest(
            query: query ?? Query(), path: try pathValues.map(Self.decoded),
            form: form, lastEventID: request.headers[.lastEventID],
            body: body,
            now: state.now, state: state,
            acceptLanguage: endpoint.weight == .file ? request.headers[.acceptLanguage] : nil)
    }

    /// A path parameter as text.
    ///
    /// - Throws: ``Problem`` 400 where it is not UTF-8.
    private static func decoded(_ value: Substring) throws(Problem) -> String {
        if let text = PercentEncoding.decoded(value.utf8) { return text }
        throw Problem(
            .badRequest, .badRequest, "the path is not percent-encoded UTF-8",
            recovery: "encode it as RFC 3986 has it")
    }

    private func answer(
        _ known: ServiceRequest, by endpoint: Endpoint, _ client: ClientAddress,
        _ request: Request
    ) async throws -> Response {
        if known.namesIssueTime {
            let answer = try await state.work.run { try await endpoint.answer(known) }
            return ResponseFields.response(answer, request, known)
        }
        switch (endpoint.weight, endpoint.handle) {
        case (.stream, .now(let handle)):
            let pass = try limits.openStream(client)
            return ResponseFields.response(try handle(known), request, known) { pass.close() }
        case (_, .now(let handle)):
            return ResponseFields.response(try handle(known), request, known)
        case (_, .later(let handle)):
            let answer = try await state.work.run { try await handle(known) }
            return ResponseFields.response(answer, request, known)
        }
    }

    /// The problem that an error is told as; what is not meant for clients stays in the log.
    private func problem(
        _ error: any Error, _ request: Request, _ context: ServiceContext
    ) -> Problem {
        if let problem = error as? Problem { return problem }
        state.log.error(
            "request failed",
            metadata: [
                "request_id": "\(context.id)",
                "path": "\(printable(request.uri.path, most: 200))",
                "reason": "\(printable("\(error)", most: 500))",
            ])
        return Problem(
            .internalServerError, .internalError, "the service failed to answer",
            recovery: "try again; tell the operator the request's id if it fails again",
            retryAfterSeconds: 5)
    }
}
