// What answers where no endpoint does: CORS preflights, wrong methods, unknown paths.
internal import BridgecastCore
internal import HTTPTypes

enum UnknownPath {
    /// What answers where no endpoint does: CORS preflights, wrong methods, unknown paths.
    static func endpoint(_ method: HTTPRequest.Method, _ path: String) -> Endpoint {
        Endpoint(
            method: method, path: "other", parameters: nil, bodyTypes: [], weight: .light,
            handle: .now { _ in
                let methods = methods(at: path)
                guard !methods.isEmpty else { throw unknown(path) }
                guard method == .options else { throw notAllowed(method, methods) }
                var answer = ServiceAnswer(.json, [], keeping: .seconds(86_400))
                answer.status = .noContent
                answer.fields[.allow] = methods.joined(separator: ", ")
                answer.fields[.accessControlAllowMethods] = methods.joined(separator: ", ")
                answer.fields[.accessControlAllowHeaders] =
                    "Content-Type, If-None-Match, Last-Event-ID"
                answer.fields[.accessControlMaxAge] = "86400"
                return answer
            })
    }

    /// The methods that a path takes; none if nothing is there.
    private static func methods(at path: String) -> [String] {
        // A path with a name of its own is no value of a parameter.
        let own = EndpointTable.all.filter { $0.path == path }
        let found =
            own.isEmpty
            ? EndpointTable.all.filter { PathPattern($0.path).values(of: path) != nil } : own
        guard !found.isEmpty else { return [] }
        // A stream has no head that would be worth asking for alone.
        let hasHead = found.contains { $0.method == .get && $0.weight != .stream }
        return found.map(\.method.rawValue) + (hasHead ? ["HEAD"] : []) + ["OPTIONS"]
    }

    private static func notAllowed(_ method: HTTPRequest.Method, _ methods: [String]) -> Problem {
        var problem = Problem(
            .methodNotAllowed, .methodNotAllowed, "\(method.rawValue) is not taken here",
            recovery: "use \(methods.joined(separator: ", "))", near: methods)
        problem.fields[.allow] = methods.joined(separator: ", ")
        return problem
    }

    private static func unknown(_ path: String) -> Problem {
        if path == "/" { return PageEndpoint.missing }
        let paths = Set(EndpointTable.all.map(\.path)).sorted()
        let near = NearNames.nearest(path, of: paths, most: 3)
        return Problem(
            .notFound, .notFound, "there is nothing at '\(printable(path, most: 80))'",
            recovery: "look at /openapi.json for what there is", near: near)
    }
}
