// The resources of the service as data: method, path, parameters, handler. What each of them answers is in Endpoints.
package import HTTPTypes

package struct Endpoint: Sendable {
    package let method: HTTPRequest.Method
    /// The path, with `{name}` for a parameter.
    package let path: String
    /// The parameters of the query, others are refused; nil where the query is ignored.
    package let parameters: [String]?
    package var forms: [MediaType] = [.json]
    /// Media types of the body; empty where there is none.
    package let bodyTypes: [String]
    /// How much work a request may be.
    package let weight: Weight
    /// For how long clients share an answer; nil where each has its own.
    package var sharedFor: SharedPeriod? = nil
    /// The parameters of a query that change nothing in the answer that clients share; one with a wrong value is not among
    /// them, as its answer is a problem.
    package var unsharedParameters: @Sendable (Query) -> [String] = { _ in [] }
    /// Whether the handler shows what is wrong with the query in the form of its answers.
    package var showsWrongQueries = false
    package let handle: Handler

    package enum Handler: Sendable {
        /// Answers without waiting for anything.
        case now(@Sendable (ServiceRequest) throws -> ServiceAnswer)
        /// Answers after waiting, usually for a computation on another thread.
        case later(@Sendable (ServiceRequest) async throws -> ServiceAnswer)
    }

    /// How much work a request may be.
    package enum Weight: Sendable {
        /// Microseconds.
        case light
        /// A millisecond and more: at most one per processor runs at a time, others wait for their turn.
        case heavy
        /// A file of the page: a visit requests many at once, so they are counted separately.
        case file
        /// A stream, of which a client may have a limited number.
        case stream
    }

    /// GET of something that is answered immediately.
    package static func get(
        _ path: String, _ parameters: [String] = [], forms: [MediaType] = [.json],
        sharedFor period: SharedPeriod? = nil,
        _ handle: @escaping @Sendable (ServiceRequest) throws -> ServiceAnswer
    ) -> Endpoint {
        Endpoint(
            method: .get, path: path, parameters: parameters, forms: forms, bodyTypes: [],
            weight: .light, sharedFor: period, handle: .now(handle))
    }

    /// GET of something that takes a millisecond or more.
    package static func getHeavy(
        _ path: String, _ parameters: [String] = [], forms: [MediaType] = [.json],
        sharedFor period: SharedPeriod? = nil,
        _ handle: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer
    ) -> Endpoint {
        Endpoint(
            method: .get, path: path, parameters: parameters, forms: forms, bodyTypes: [],
            weight: .heavy, sharedFor: period, handle: .later(handle))
    }

    /// GET of a stream that begins with what is read from a file.
    package static func getStream(
        _ path: String,
        _ handle: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer
    ) -> Endpoint {
        Endpoint(
            method: .get, path: path, parameters: [], forms: [.events], bodyTypes: [],
            weight: .stream, handle: .later(handle))
    }

    package static func post(
        _ path: String, _ parameters: [String] = [], takes bodyTypes: [String],
        _ handle: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer
    ) -> Endpoint {
        Endpoint(
            method: .post, path: path, parameters: parameters, bodyTypes: bodyTypes, weight: .heavy,
            handle: .later(handle))
    }

    /// What changes or removes something that a path names.
    package static func changing(
        _ method: HTTPRequest.Method, _ path: String, takes bodyTypes: [String] = [],
        _ handle: @escaping @Sendable (ServiceRequest) async throws -> ServiceAnswer
    ) -> Endpoint {
        Endpoint(
            method: method, path: path, parameters: [], bodyTypes: bodyTypes, weight: .heavy,
            handle: .later(handle))
    }
}

package enum EndpointTable {
    package static let base = "/api/v1"

    package static let all: [Endpoint] = [
        BridgeEndpoints.all, PatternEndpoint.all, ForecastEndpoints.all, RouteEndpoints.all,
        PlacesEndpoint.all, HistoryEndpoint.all, DayEndpoint.all, SkillEndpoint.all,
        VerificationEndpoint.all,
        GeographyEndpoint.all, StopEndpoints.all, NearestEndpoint.all, TransitRouteEndpoints.all,
        TripEndpoints.all, WidgetEndpoints.all, BridgeAlertsEndpoint.all, CalendarEndpoint.all,
        EventsEndpoint.all, AlertStreamEndpoint.all, MeEndpoints.all,
        HealthEndpoints.all, DescriptionEndpoint.all,
    ].flatMap { $0 }
}
