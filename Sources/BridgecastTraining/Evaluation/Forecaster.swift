// The forecasters that are scored.

/// Who made a forecast.
package enum Forecaster: String, Sendable, CaseIterable, Codable {
    /// The model under evaluation.
    case model
    /// Share of covered minutes blocked by bridge, day type and time of day, before the period.
    case climatology
    /// Share of covered minutes blocked by bridge.
    case baseRate
    /// Opening rate by bridge, weekday and hour over the last 84 covered days before the period.
    case poisson
    /// How often a bridge that is up, or down, is up so much later.
    case persistence
    /// The "bridgelocks" rule of thumb.
    case bridgelocks
    /// Logistic regression on the model's inputs.
    case logistic
}
