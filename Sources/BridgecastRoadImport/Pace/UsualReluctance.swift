// What drivers and riders count beside the minutes; used by RoadImport.
internal import BridgecastRoads

/// What people are reluctant of.
enum UsualReluctance {
    /// Judgement, in round numbers; `tools/comparisons/roads/through.py` prints what others would do.
    ///
    /// A minute on a local street counts like 1.3 on an arterial: signs of 20 mph, cars parked on both sides, children.
    /// Turning off an arterial into one counts 30 s: nobody goes around a block to save a signal.
    /// By bike a trail counts as it is, a local street 1.15 times and an arterial 1.35 times: riders in Portland took
    /// a path 16 % longer to be on a trail, and longer ones to be away from traffic (Broach, Dill and Gliebe, 2012;
    /// from memory).
    static let value = Reluctance(
        localShare: 0.3, enteringSeconds: 30, bikeLocalShare: 0.15, bikeArterialShare: 0.35)
}
