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
                answer.fields[.accessControlAllowHeaders] = "Content-Type, Last-Event-ID"
                answer.fields[.accessControlMaxAge] = "86400"
                return answer
            })
    }

    /// The methods that a path takes; none if nothing is there.
    private static func methods(at path: String) -> [String] {
        let parts = path.split(separator: "/")
        let found = EndpointTable.all.filter { endpoint in
            let names = endpoint.path.split(separator: "/")
            return names.count == parts.count
                && zip(names, parts).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }.map(\.method.rawValue)
        guard !found.isEmpty else { return [] }
        return found + (found.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]
    }

    private static func notAllowed(_ method: HTTPRequest.Method, _ methods: [String]) -> Problem {
        var problem = Problem(
            .methodNotAllowed, .methodNotAllowed, "\(method.rawValue) is not taken here",
            recovery: "use \(methods.joined(separator: ", "))", near: methods)
        problem.fields[.allow] = methods.joined(separator: ", ")
        return problem
    }

    private static func unknown(_ path: String) -> Problem {
        let paths = EndpointTable.all.map(\.path)
        let near = NearNames.nearest(path, of: paths, most: 3)
        return Problem(
            .notFound, .notFound, "there is nothing at '\(printable(path, most: 80))'",
            recovery: "look at /openapi.json for what there is", near: near)
    }
}
