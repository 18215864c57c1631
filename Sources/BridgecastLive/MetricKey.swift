// A metric's name and dimensions, as Prometheus writes them; used by MetricsRegistry.

/// What a metric is known by.
struct MetricKey: Hashable, Comparable, Sendable {
    let name: String
    /// `a="1",b="2"`, without braces.
    let labels: String

    init(_ label: String, _ dimensions: [(String, String)]) {
        name = label
        labels = dimensions.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    }

    static func < (lhs: MetricKey, rhs: MetricKey) -> Bool {
        (lhs.name, lhs.labels) < (rhs.name, rhs.labels)
    }

    /// A line's beginning.
    ///
    /// - Parameters:
    ///   - suffix: Behind the name.
    ///   - more: One more label.
    func start(_ suffix: String = "", _ more: String = "") -> String {
        let all = labels.isEmpty || more.isEmpty ? labels + more : labels + "," + more
        return all.isEmpty ? name + suffix : "\(name)\(suffix){\(all)}"
    }

    /// Scalars, not characters: "\r\n" is one of these, and its line end must not get through.
    private static func escaped(_ value: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text.append(contentsOf: "\\\\".unicodeScalars)
            case "\"": text.append(contentsOf: "\\\"".unicodeScalars)
            case "\n": text.append(contentsOf: "\\n".unicodeScalars)
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
