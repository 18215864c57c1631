// The page's document with the bridges filled in, and the endpoint of the page. Its files are in PageCache.swift, what is
// filled in is in BridgeTable.swift and PageHeadline.swift.
internal import BridgecastCore
internal import BridgecastData
internal import BridgecastLive
internal import HTTPTypes
private import Synchronization

/// The document before the bridges are filled in; it already names the modules to preload, or the bundle of all.
struct PageShell: Sendable {
    static let bridgesMark = "<!-- bridges -->"
    static let preloadMark = "<!-- preload -->"
    /// The bundle's links take the place of all between these two.
    static let modulesMarks = (start: "<!-- modules -->", end: "<!-- /modules -->")

    /// Changes with every change of the page's files.
    let revision: Int
    private let before: Substring
    /// Nil if the document has no mark for the bridges.
    private let after: Substring?

    /// - Parameter modules: Paths of the modules to preload where there is no bundle.
    init(_ index: String, _ bundle: PageBundle?, modules: [String], revision: Int) {
        self.revision = revision
        let document = Self.linked(index, bundle) ?? Self.linked(index, modules)
        if let mark = document.firstRange(of: Self.bridgesMark) {
            before = document[..<mark.lowerBound]
            after = document[mark.upperBound...]
        } else {
            before = document[...]
            after = nil
        }
    }

    static func preload(_ path: String) -> String {
        "<link rel=\"modulepreload\" href=\"\(HTMLText.escaped(path))\">"
    }

    /// Nil if there is no bundle, or the document has no marks for it.
    private static func linked(_ index: String, _ bundle: PageBundle?) -> String? {
        guard let bundle, let start = index.firstRange(of: modulesMarks.start),
            let end = index.firstRange(of: modulesMarks.end), start.upperBound <= end.lowerBound
        else { return nil }
        return String(index[..<start.lowerBound]) + bundle.links + String(index[end.upperBound...])
    }

    private static func linked(_ index: String, _ modules: [String]) -> String {
        let links = modules.map(preload).joined(separator: "\n    ")
        return index.replacing(preloadMark, with: links, maxReplacements: 1)
    }

    func filled(_ bridges: () -> String) -> [UInt8] {
        guard let after else { return Array(before.utf8) }
        return Array(before.utf8) + Array(bridges().utf8) + Array(after.utf8)
    }
}

/// A cache of the newest document of each language.
final class PageDocumentCache: Sendable {
    /// What a document is made from: equal keys, equal documents.
    private struct Key: Equatable {
        let revision: Int
        /// Ages are shown in minutes, so that ten seconds do not matter.
        let tenSeconds: Int64
        let snapshot: BridgesSnapshot?

        static func == (one: Key, other: Key) -> Bool {
            one.revision == other.revision && one.tenSeconds == other.tenSeconds
                && one.snapshot === other.snapshot
        }
    }

    private let kept = Mutex<[PageLanguage: (key: Key, document: SharedDocument)]>([:])

    func document(
        of shell: PageShell, _ state: ServiceState, at now: Timestamp, in language: PageLanguage
    ) -> SharedDocument {
        let snapshot = try? state.snapshot()
        let key = Key(
            revision: shell.revision, tenSeconds: now.secondsSinceEpoch / 10, snapshot: snapshot)
        if let (known, document) = kept.withLock({ $0[language] }), known == key { return document }
        let feed = state.parts.live.bridges.name
        let document = SharedDocument(
            shell.filled { PageBridges(snapshot, feed: feed, at: now, in: language).html })
        kept.withLock { $0[language] = (key, document) }
        return document
    }
}

// MARK: - Imports

enum PageImports {
    /// The modules that a module imports statically, directly or indirectly, in order of discovery; without itself.
    ///
    /// - Parameter text: The text of the module at a path; nil if there is none.
    static func modules(from start: String, _ text: (String) -> String?) -> [String] {
        var found = [start]
        var next = 0
        while next < found.count {
            let path = found[next]
            next += 1
            for name in text(path).map(names) ?? [] {
                guard let module = resolve(name, from: path), text(module) != nil,
                    !found.contains(module)
                else { continue }
                found.append(module)
            }
        }
        return Array(found.dropFirst())
    }

    /// The names in a module's static imports and re-exports; not those of dynamic imports.
    ///
    /// The name is on the last line of an import, which begins with one of the texts below.
    private static func names(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let text = line.drop { $0 == " " || $0 == "\t" }
            if text.hasPrefix("import \"") || text.hasPrefix("import '") {
                return quoted(text.dropFirst("import ".count))
            }
            guard ["import ", "export ", "}"].contains(where: { text.hasPrefix($0) }) else {
                return nil
            }
            for from in ["from \"", "from '"] {
                if let range = text.firstRange(of: from) {
                    return quoted(text[range.lowerBound...].dropFirst("from ".count))
                }
            }
            return nil
        }
    }

    private static func quoted(_ text: Substring) -> String? {
        guard let mark = text.first, let end = text.dropFirst().firstIndex(of: mark) else {
            return nil
        }
        return String(text[text.index(after: text.startIndex)..<end])
    }

    /// The path of a relative name in a module; nil if it leads out of the folder, or is not relative.
    private static func resolve(_ name: String, from module: String) -> String? {
        guard name.hasPrefix("./") || name.hasPrefix("../") else { return nil }
        var parts = module.split(separator: "/").dropLast().map(String.init)
        for part in name.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(String(part))
            } else if parts.popLast() == nil {
                return nil
            }
        }
        return parts.joined(separator: "/")
    }
}

// MARK: - HTML

enum HTMLText {
    /// Text with all markup escaped, for content and quoted attributes.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for letter in text.unicodeScalars {
            switch letter {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(letter)
            }
        }
        return escaped
    }

    static func element(_ tag: String, _ attributes: String = "", text: String) -> String {
        "<\(tag)\(attributes.isEmpty ? "" : " " + attributes)>\(escaped(text))</\(tag)>"
    }
}

// MARK: - Endpoint

enum PageEndpoint {
    /// The name of all files of the page in metrics and traces.
    static let name = "page"

    /// The endpoint of a path; nil if the page has no such file.
    static func endpoint(
        _ method: HTTPRequest.Method, _ path: String, query: String? = nil, in cache: PageCache
    ) -> Endpoint? {
        guard path.hasPrefix("/") else { return nil }
        let name = path == "/" ? PageCache.indexPath : String(path.dropFirst())
        // Folders of the page have the names of its views: its files come first.
        guard let file = cache.file(name) else {
            return ShortAddress(path, query)?.endpoint(method)
        }
        return Endpoint(
            method: method, path: Self.name, parameters: nil, bodyTypes: [], weight: .file,
            handle: .now { request in
                guard method == .get || method == .head else { throw notAllowed(method) }
                guard name == PageCache.indexPath else { return answer(file.document, file) }
                let language = PageLanguage(accept: request.acceptLanguage)
                let document = cache.index(request.state, at: request.state.now, in: language)
                var answer = answer(document ?? file.document, file)
                answer.fields[.vary] = "Accept-Language, Accept-Encoding"
                return answer
            })
    }

    /// The answer at `/` without a page.
    static let missing = Problem(
        .notFound, "this service was started without the page",
        recovery: "start it with --page FOLDER, the folder that has the page's index.html; "
            + "/openapi.json describes the other resources")

    private static func answer(_ document: SharedDocument, _ file: PageFile) -> ServiceAnswer {
        ServiceAnswer(contentType: file.contentType, .shared(document), keeping: .ifUnchanged)
    }

    fileprivate static func notAllowed(_ method: HTTPRequest.Method) -> Problem {
        var problem = Problem(
            .methodNotAllowed, "\(method.rawValue) is not taken here", recovery: "use GET or HEAD",
            near: ["GET", "HEAD"])
        problem.fields[.allow] = "GET, HEAD"
        return problem
    }
}

/// A short address of a view, such as `/line/542`, which leads to the page.
private struct ShortAddress {
    /// By the first part of the path: the view's parameter, which has the name of the view but for boards.
    private static let parameters = ["line": "line", "board": "stop", "run": "run"]

    private let target: String

    private static let maxQueryBytes = 1_000

    /// Nil for other paths; a query follows the view.
    init?(_ path: String, _ query: String?) {
        let parts = path.dropFirst().split(
            separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 && parts[2].isEmpty, !parts[1].isEmpty,
            parts[1].utf8.count <= 200,
            let parameter = Self.parameters[String(parts[0])]
        else { return nil }
        // In a query `+` is a space, and `&` begins a parameter.
        let value = parts[1].replacing("+", with: "%2B").replacing("&", with: "%26")
        let more = query.map { $0.isEmpty || $0.utf8.count > Self.maxQueryBytes ? "" : "&\($0)" }
        // Relative, as the service may be behind a prefix; a slash at the end makes the path a part longer.
        let root = path.hasSuffix("/") ? "../../" : "../"
        target = "\(root)?view=\(parts[0])&\(parameter)=\(value)\(more ?? "")"
    }

    func endpoint(_ method: HTTPRequest.Method) -> Endpoint {
        Endpoint(
            method: method, path: PageEndpoint.name, parameters: nil, bodyTypes: [], weight: .file,
            handle: .now { [target] _ in
                guard method == .get || method == .head else {
                    throw PageEndpoint.notAllowed(method)
                }
                var answer = ServiceAnswer(
                    contentType: "text/plain; charset=utf-8", .bytes(Array("\(target)\n".utf8)),
                    keeping: .ifUnchanged)
                answer.status = .found
                answer.fields[.location] = target
                return answer
            })
    }
}
