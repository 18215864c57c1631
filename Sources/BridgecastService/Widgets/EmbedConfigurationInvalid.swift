// The address of a widget that cannot be shown, and where a valid one is made.
internal import BridgecastSupport
internal import HTTPTypes

/// The address of a widget asks for what there is not.
struct EmbedConfigurationInvalid: Failure, Equatable {
    /// What is wrong with it.
    let reason: String

    /// The page's view that makes addresses of widgets, relative to that of a widget.
    static let maker = "../../?view=widget"

    /// A problem of an address; nil for one that passes by itself.
    init?(_ problem: Problem) {
        guard problem.status == .badRequest || problem.status == .notFound else { return nil }
        reason =
            problem.status == .badRequest
            ? "\(problem.detail): \(problem.recovery)" : problem.detail
    }

    var kind: FailureKind { .usage }
    var description: String { "this widget's address is not valid: \(reason)" }
    var recovery: String { "Make the address again: /?view=widget" }
}
