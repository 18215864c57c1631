// What went wrong with a request, as RFC 9457 has it; handlers throw it, the gate answers with it.
package import BridgecastCore
package import HTTPTypes

/// A refusal or failure that a client is told of.
///
/// What a client reads is written for it: no path, address or error of the inside stands in it.
package struct Problem: Error, Sendable, Equatable {
    /// What programs tell problems apart by.
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
        // Of boards of the nearest station, by the names that their apps have for them.
        case noLocation
        case cacheStale
        case noStation
        case noData
        case apiError
        case internalError = "internal_error"
    }

    /// The status of the answer.
    package let status: HTTPResponse.Status
    /// What programs tell problems apart by.
    package let code: Code
    /// What is wrong, where, for a person.
    package var detail: String
    /// What to do about it.
    package var recovery: String
    /// Seconds after which it may be tried again; nil where that would not help.
    package var retryAfterSeconds: Int?
    /// The parameter or field it is about.
    package var parameter: String?
    /// Values that are valid, the nearest first.
    package var near: [String] = []
    /// Fields of the answer's head that belong to it, such as Allow.
    package var fields = HTTPFields()

    /// Creates a problem.
    package init(
        _ status: HTTPResponse.Status, _ code: Code, _ detail: String, recovery: String,
        parameter: String? = nil, near: [String] = [], retryAfterSeconds: Int? = nil
    ) {
        (self.status, self.code, self.detail, self.recovery) = (status, code, detail, recovery)
        (self.parameter, self.near, self.retryAfterSeconds) = (parameter, near, retryAfterSeconds)
    }

    /// A parameter whose value is none of those it takes.
    package static func parameter(
        _ name: String, _ detail: String, takes: String, near: [String] = []
    ) -> Problem {
        Problem(
            .badRequest, .badParameter, "\(name): \(detail)", recovery: "\(name) takes \(takes)",
            parameter: name, near: near)
    }

    /// A body that cannot be used, at a place in it.
    package static func body(_ problem: DocumentProblem, takes: String) -> Problem {
        Problem(
            .unprocessableContent, .unprocessable, "\(problem.place): \(problem.problem)",
            recovery: "mend that; /openapi.json shows the form of \(takes)",
            parameter: problem.place)
    }
}
