// What answers for the page's files: found by exact path, shown with the head that a page needs; used by the responder.
internal import BridgecastCore
internal import HTTPTypes

enum PageEndpoint {
    /// The name under which meters and traces count all files of the page.
    static let name = "page"

    /// What answers at a path; nil if the page has nothing there.
    static func endpoint(
        _ method: HTTPRequest.Method, _ path: String, _ shelf: PageShelf
    ) -> Endpoint? {
        guard path.hasPrefix("/") else { return nil }
        let name = path == "/" ? PageShelf.indexPath : String(path.dropFirst())
        guard let file = shelf.file(name) else { return nil }
        return Endpoint(
            method: method, path: Self.name, parameters: nil, bodyTypes: [], weight: .file,
            handle: .now { request in
                guard method == .get || method == .head else { throw notAllowed(method) }
                guard name == PageShelf.indexPath else { return answer(file.document, file) }
                let language = PageLanguage(accept: request.acceptLanguage)
                let document = shelf.index(request.state, at: request.state.now, in: language)
                var answer = answer(document ?? file.document, file)
                answer.fields[.vary] = "Accept-Language, Accept-Encoding"
                return answer
            })
    }

    /// What is said at `/` where there is no page.
    static let missing = Problem(
        .notFound, .notFound, "this service was started without the page",
        recovery: "start it with --page FOLDER, the folder that has the page's index.html; "
            + "/openapi.json describes what else is answered")

    private static func answer(_ document: SharedDocument, _ file: PageFile) -> ServiceAnswer {
        ServiceAnswer(contentType: file.contentType, .shared(document), keeping: .ifUnchanged)
    }

    private static func notAllowed(_ method: HTTPRequest.Method) -> Problem {
        var problem = Problem(
            .methodNotAllowed, .methodNotAllowed, "\(method.rawValue) is not taken here",
            recovery: "use GET or HEAD", near: ["GET", "HEAD"])
        problem.fields[.allow] = "GET, HEAD"
        return problem
    }
}
