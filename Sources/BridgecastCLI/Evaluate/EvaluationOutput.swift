// What `evaluate` prints and reports: the scores, and the comparison with another model.
import BridgecastTraining

/// The JSON of `evaluate`.
struct EvaluationOutput: Encodable {
    let report: EvaluationReport
    let comparison: ModelComparison?
}
