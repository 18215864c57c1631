// What goes into a training and what comes out of it.
package import BridgecastCore
import BridgecastEngine

/// What a training is made of.
package struct TrainingPlan: Sendable {
    /// What ``teachers`` is unless said otherwise.
    package static let usualTeachers = 2
    /// What ``boostingPasses`` is unless said otherwise.
    package static let usualBoostingPasses = 3
    /// What ``minutesBetweenIssueTimes`` is unless said otherwise.
    package static let usualMinutesBetweenIssueTimes = 3.0
    /// What ``additiveShare`` is unless said otherwise.
    package static let usualAdditiveShare: Float = 0.2
    /// What ``networkTeachers`` is unless said otherwise.
    package static let usualNetworkTeachers = 1
    /// What ``networkShare`` is unless said otherwise.
    package static let usualNetworkShare: Float = 0.2

    /// All records that may be used.
    package var history: OpeningHistory
    /// The fit uses nothing from this moment on, unless everything is fitted anew.
    package var validationFrom: Timestamp
    /// Issue times of the validation end here.
    package var validationTo: Timestamp
    /// Whether to fit again to everything up to `validationTo`, through the whole schedule.
    package var refitsOnAll = false
    /// Sets of boosted trees whose mean the network learns, every other one of the steadier kind; 0 for no teacher of
    /// any kind: the network learns what happened itself.
    package var teachers = TrainingPlan.usualTeachers
    /// Share of the additive teacher in what the network learns, 0...1; the trees have what the others leave.
    package var additiveShare = TrainingPlan.usualAdditiveShare
    /// Networks that learn what happened itself and teach the one that ships beside the trees, if there are any.
    package var networkTeachers = TrainingPlan.usualNetworkTeachers
    /// Share of these networks in what the network learns, 0...1.
    package var networkShare = TrainingPlan.usualNetworkShare
    /// Their settings but for the hidden sizes, which are those of the network that ships: few epochs and many
    /// activations switched off, for what they learn is not smooth.
    package var networkTeacherSettings = {
        var settings = TrainingSettings()
        settings.epochs = 3
        settings.dropout = 0.35
        return settings
    }()
    /// What the second fit goes by, if that is not ``history``: records that were reviewed with the validation days.
    package var refitHistory: OpeningHistory?
    /// Settings of the trees.
    package var boosting = BoostingSettings()
    /// How often the trees' rows go through the records.
    package var boostingPasses = TrainingPlan.usualBoostingPasses
    /// Mean minutes between the issue times of training rows, in each pass and epoch; at least 1.
    package var minutesBetweenIssueTimes = TrainingPlan.usualMinutesBetweenIssueTimes
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
