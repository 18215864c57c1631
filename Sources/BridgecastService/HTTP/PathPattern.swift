// A path with parameters, and what stands for them in a path; used to find endpoints.

/// A path such as `/api/v1/bridges/{id}`.
struct PathPattern: Sendable {
    private let parts: [Substring]

    init(_ path: String) { parts = path.split(separator: "/", omittingEmptySubsequences: false) }

    /// Whether there is a parameter.
    var hasParameters: Bool { parts.contains { $0.hasPrefix("{") } }

    /// The values of the parameters in a path, in order and as they were sent; nil if it is another path.
    func values(of path: String) -> [Substring]? {
        let own = path.split(separator: "/", omittingEmptySubsequences: false)
        guard own.count == parts.count else { return nil }
        var values: [Substring] = []
        for (part, given) in zip(parts, own) {
            if part.hasPrefix("{"), !given.isEmpty {
                values.append(given)
            } else if part != given {
                return nil
            }
        }
        return values
    }
}
