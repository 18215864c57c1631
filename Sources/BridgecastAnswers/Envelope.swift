// What every answer begins with: when it was made, of what, by which model; part of every document.
// Belongs here: answers as values that know their JSON, one type a resource; not: how they are asked for
// (BridgecastCLI, BridgecastService).
package import BridgecastCore
package import BridgecastEngine

/// The first fields of every document, whoever asks for it.
package struct Envelope: Sendable, Equatable {
    /// When the document was made.
    package var generatedAt: Timestamp
    /// When the forecasts in it were made; nil if nothing was forecast.
    package var issueTime: Timestamp?
    /// The moment that the numbers are about; of routes the departure.
    package var validAt: Timestamp
    /// The model's name.
    package var model: String
    /// The number format of its weights.
    package var weightFormat: WeightFormat
    /// What was known, and from where.
    package var sources: [SourceStatus]
    /// For people: what is missing.
    package var warnings: [String]

    /// Creates an envelope; parameters as the properties.
    package init(
        generatedAt: Timestamp, issueTime: Timestamp?, validAt: Timestamp, model: ModelHeader,
        sources: [SourceStatus] = [], warnings: [String] = []
    ) {
        (self.generatedAt, self.issueTime, self.validAt) = (generatedAt, issueTime, validAt)
        (self.model, weightFormat) = (model.name, model.weightFormat)
        (self.sources, self.warnings) = (sources, warnings)
    }

    /// ``weightFormat`` as documents write it.
    package var weightFormatName: String { weightFormat.rawValue }

    /// Writes its fields into an object that is open.
    package func write(into json: inout JSONWriter) {
        json.field("generated_at", generatedAt)
        json.field("issue_time", issueTime)
        json.field("valid_at", validAt)
        json.field("model", model)
        json.field("weight_format", weightFormatName)
        json.list("sources", sources)
        json.list("warnings", warnings)
    }
}
