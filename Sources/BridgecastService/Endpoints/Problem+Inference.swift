// Refusals of the engine as clients are told of them; used by handlers that forecast.
internal import BridgecastEngine
internal import HTTPTypes

extension Problem {
    /// What a client is told where a forecast was refused.
    init(_ error: InferenceError) {
        switch error {
        case .overloaded, .cancelled:
            self.init(
                .serviceUnavailable, .overloaded, "too many forecasts are under way",
                recovery: "try again in a second", retryAfterSeconds: 1)
        case .tooLarge(let rows, _):
            self.init(
                .unprocessableContent, .unprocessable,
                "it takes \(rows) rows, more than may run at a time", recovery: "ask for less")
        case .lead, .density, .reach, .noMode:
            self.init(
                .badRequest, .badRequest, "nothing can be forecast for that",
                recovery: "ask for an arrival from now to 366 days ahead")
        case .notFinite:
            self.init(
                .internalServerError, .internalError, "the model gave no forecast",
                recovery: "try again after the next reading", retryAfterSeconds: 20)
        }
    }

    /// Runs something that forecasts.
    static func telling<Result>(
        _ body: () throws(InferenceError) -> Result
    ) throws(Problem) -> Result {
        do {
            return try body()
        } catch {
            throw Problem(error)
        }
    }
}
