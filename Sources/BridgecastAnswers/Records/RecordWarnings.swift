// What is to be said of forecasts that are made again from the records; in documents of days and boards of the past.
package import BridgecastCore
package import BridgecastEngine

/// Warnings about the records and the model of forecasts of a time that is over.
package enum RecordWarnings {
    /// Warnings of a day or a moment.
    ///
    /// - Parameters:
    ///   - span: What was asked for, in words: "day" or "time".
    ///   - isCovered: Whether there are records of any bridge.
    ///   - forecast: The model that forecast a moment of it; nil if nothing was forecast.
    package static func words(
        of span: String, isCovered: Bool, forecast: (by: ModelHeader, of: Timestamp)?
    ) -> [String] {
        guard isCovered else {
            return ["no records for this \(span), which does not mean no openings"]
        }
        guard let forecast else { return [] }
        let provenance = forecast.by.provenance
        let isFitted =
            provenance.fittedFrom <= forecast.of && forecast.of < provenance.fittedBefore
        return isFitted
            ? [
                "the model in use was fitted to records of this \(span), so this is no test of it"
            ] : []
    }
}
