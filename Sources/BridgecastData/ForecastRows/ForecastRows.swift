// Many forecasts asked for at once, as a client of the service writes them; what they are is for Answers.
// Belongs here: the rows that are asked for, read and checked; not: what is forecast for them.
package import BridgecastCore

/// The content of `{"rows": [{"bridge": "Fremont", "lead_min": 10}, {"bridge": 3, "at": time}]}`.
///
/// Beside the rows may stand how one travels, `"mode"`, and how much is wanted of each, `"detail"`: `summary` or
/// `full`. Null is as if nothing were there. A field of another name is refused, and so is one that stands twice.
package struct ForecastRows: Sendable, Equatable {
    /// A bridge and a moment; now if neither a lead nor a time is stated.
    package struct Row: Sendable, Equatable {
        /// The bridge.
        package let bridge: BridgeIndex
        /// Minutes from now, 0...``ForecastRows/mostLeadMinutes``, if that is how the moment is stated.
        package let leadMinutes: Double?
        /// The time, if that is.
        package let at: Timestamp?
    }

    /// What is asked for, at least one.
    package let rows: [Row]
    /// How one travels; by car unless stated.
    package let mode: Route.Mode
    /// Whether everything that is known is wanted of each, not the main figures alone.
    package let isFull: Bool

    /// Leads are stated in minutes up to 366 days.
    package static let mostLeadMinutes = 366.0 * 24 * 60
    /// What is read, for messages.
    package static let form =
        #"{"rows": [{"bridge": name or number, "lead_min": minutes or "at": time}]}"#

    /// Reads rows.
    ///
    /// - Parameters:
    ///   - mostRows: More rows are refused.
    ///   - mostDepth: Deeper nesting is refused.
    /// - Throws: ``DocumentProblem`` with the row and the field, such as `rows[3].lead_min`, or with the byte.
    package init(
        _ bytes: [UInt8], mostRows: Int, mostDepth: Int
    ) throws(DocumentProblem) {
        try JSONDepth.check(bytes.span, most: mostDepth)
        var reader = ForecastRowsReader(bytes.span, mostRows: mostRows)
        do {
            try reader.read(bytes.span)
        } catch let problem as DocumentProblem {
            throw problem
        } catch {
            throw DocumentProblem("byte \(reader.position)", "is not valid JSON, or is cut short")
        }
        guard let rows = reader.rows else { throw DocumentProblem("rows", "is missing") }
        guard !rows.isEmpty else { throw DocumentProblem("rows", "there are none") }
        (self.rows, mode, isFull) = (rows, reader.mode, reader.detail == .full)
    }
}
