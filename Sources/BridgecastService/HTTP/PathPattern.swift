// A path with parameters, and what stands for them in a path; used to find endpoints.

/// A path such as `/api/v1/bridges/{id}` or `/calendar/{bridge}.ics`.
struct PathPattern: Sendable {
    private let parts: [Part]

    /// What stands between two slashes.
    private enum Part: Sendable {
        case fixed(Substring)
        /// Any text, with what must stand behind it.
        case parameter(ending: Substring)

        init(_ text: Substring) {
            guard text.hasPrefix("{"), let end = text.firstIndex(of: "}") else {
                self = .fixed(text)
                return
            }
            self = .parameter(ending: text[text.index(after: end)...])
        }
    }

    init(_ path: String) {
        parts = Self.parts(of: path).map { Part($0) }
    }

    /// What stands between the slashes of a path.
    static func parts(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// Whether there is a parameter.
    var hasParameters: Bool {
        parts.contains { if case .parameter = $0 { true } else { false } }
    }

    /// The values of the parameters in a path, in order and as they were sent; nil if it is another path.
    func values(of path: String) -> [Substring]? { values(of: Self.parts(of: path)) }

    /// As that of a path, of a path that has been taken apart.
    func values(of given: [Substring]) -> [Substring]? {
        guard given.count == parts.count else { return nil }
        var values: [Substring] = []
        for (part, given) in zip(parts, given) {
            switch part {
            case .fixed(let text):
                guard given == text else { return nil }
            case .parameter(let ending):
                guard given.hasSuffix(ending), given.utf8.count > ending.utf8.count else {
                    return nil
                }
                values.append(given.dropLast(ending.count))
            }
        }
        return values
    }
}
