// A problem as an answer: problem+json (RFC 9457) with its head; used by the gate and by what refuses connections.
internal import BridgecastAnswers
internal import Hummingbird
internal import HTTPTypes
internal import NIOCore

/// A problem on its way to a client.
struct ProblemAnswer: JSONAnswer {
    let problem: Problem
    /// The request's; nil where there was no whole request.
    let requestID: String?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("type", "about:blank")
            json.field("title", problem.status.reasonPhrase)
            json.field("status", problem.status.code)
            json.field("code", problem.code.rawValue)
            json.field("detail", problem.detail)
            json.field("recovery", problem.recovery)
            json.field("retry_after_s", problem.retryAfterSeconds)
            if let parameter = problem.parameter { json.field("parameter", parameter) }
            if !problem.near.isEmpty { json.list("near", problem.near) }
            json.field("request_id", requestID)
        }
    }

    /// The response to a request that met a problem.
    static func response(_ problem: Problem, _ context: ServiceContext) -> Response {
        let bytes = ProblemAnswer(problem: problem, requestID: context.id).jsonBytes()
        var fields = problem.fields
        fields[.contentType] = MediaType.problem.contentType
        fields[.cacheControl] = "no-store"
        if let seconds = problem.retryAfterSeconds { fields[.retryAfter] = String(seconds) }
        // What is left of such a body is not read: it may have no end.
        if endsConnection(problem) { fields[.connection] = "close" }
        return Response(
            status: problem.status, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func endsConnection(_ problem: Problem) -> Bool {
        [.contentTooLarge, .unsupportedMediaType, .requestTimeout].contains(problem.status)
    }
}
