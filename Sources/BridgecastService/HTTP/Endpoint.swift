// One resource of the service: method, path, parameters and what answers it. The table of them is in Endpoints.
package import HTTPTypes

/// A resource with the method it takes.
package struct Endpoint: Sendable {
    /// GET or POST.
    package let method: HTTPRequest.Method
    /// The path, with `{name}` for a parameter.
    package let path: String
    /// The parameters behind the question mark, others are refused; nil where nobody looks at them.
    package let parameters: [String]?
    /// The forms of its answer, the usual one first.
    package var forms: [MediaType] = [.json]
    /// What the body may be; empty where there is none.
    package let bodyTypes: [String]
    /// How much work a request may be: what is heavy waits for its turn.
    package let weight: Weight
    /// Answers a request.
    package let handle: Handler

    /// What answers a request.
    package enum Handler: Sendable {
        /// Without waiting for anything.
        case now(@Sendable (ServiceRequest) throws -> ServiceAnswer)
        /// After waiting, for a computation on another thread above all.
        case later(@Sendable (ServiceRequest) async throws -> ServiceAnswer)
    }

    /// How much work a request may be.
    package enum Weight: Sendable {
        /// Microseconds.
        case light
        /// A millisecond and more; so many at once that the machine has processors.
        case heavy
        /// A file of the page: many are asked for at once, so they are counted apart.
        case file
        /// A stream, of which a client may have some.
        case stream
    }

    /// GET of something that is answered at once.
    package static func get(
        _ path: String, _ parameters: [String] = [], forms: [MediaType] = [.json],
        _ handle: @escaping @Sendable (ServiceRequest) throws -> ServiceAnswer
    ) -> Endpoint {
        Endpoint(
            method: .get, path: path, parameters: parameters, forms: forms, bodyTypes: [],
            weight: .light,
            handle: .now(handle))
    }

    /// GET of something that takes a millisecond or more.
    package static func getHeavy(
        _ path: String, _ parameters: [String] = [], forms: [MediaType] = [.json],
        _ handle: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer
    ) -> Endpoint {
        Endpoint(
            method: .get, path: path, parameters: parameters, forms: forms, bodyTypes: [],
            weight: .heavy,
            handle: .later(handle))
    }

    /// POST of a body that is a question.
    package static func post(
        _ path: String, _ parameters: [String] = [], takes bodyTypes: [String],
        _ handle: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer
    ) -> Endpoint {
        Endpoint(
            method: .post, path: path, parameters: parameters, bodyTypes: bodyTypes,
            weight: .heavy, handle: .later(handle))
    }
}
