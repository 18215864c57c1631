// What goes into a training and what comes out of it.
package import BridgecastCore
import BridgecastEngine

/// What a training is made of.
package struct TrainingPlan: Sendable {
    /// All records that may be used.
    package var history: OpeningHistory
    /// The fit uses nothing from this moment on, unless everything is fitted anew.
    package var validationFrom: Timestamp
    /// Issue times of the validation end here.
    package var validationTo: Timestamp
    /// Whether to fit again to everything up to `validationTo`, through the whole schedule.
    package var refitsOnAll = false
    /// Sets of boosted trees whose mean the network learns; 0 for what happened itself.
    package var teachers = 2
    /// Settings of the trees.
    package var boosting = BoostingSettings()
    /// How often the trees' rows go through the records.
    package var boostingPasses = 4
    /// Mean minutes between the issue times of training rows, in each pass and epoch; at least 1.
    package var minutesBetweenIssueTimes = 2.0
    /// Settings of the network.
    package var settings = TrainingSettings()
    /// Seed of all random numbers.
    package var seed: UInt64 = 1

    /// Plans a validation on issue times `validationFrom` ..< `validationTo`; settings have their defaults.
    package init(history: OpeningHistory, validationFrom: Timestamp, validationTo: Timestamp) {
        self.history = history
        self.validationFrom = validationFrom
        self.validationTo = validationTo
    }
}
