// What drivers and riders count beside the minutes; used by RoadImport.
internal import BridgecastRoads

/// What people are reluctant of.
enum UsualReluctance {
    /// Judgement, in round numbers; `through.py` and `riding.py` of `tools/comparisons/roads` show what others do.
    ///
    /// A minute on a local street counts like 1.3 on an arterial: signs of 20 mph, cars parked on both sides, children.
    /// Turning off an arterial into one counts 30 s: nobody goes around a block to save a signal.
    /// By bike a trail counts as it is. Riders in Portland took a way 16 % longer to be on a trail and 11 % longer to
    /// be on a boulevard for bikes; a painted lane made up for the traffic of an arterial, and one with 10,000 cars
    /// a day and no lane seemed 37 % longer than a local street (Broach, Dill and Gliebe, 2012; from memory).
    static let value = Reluctance(
        localShare: 0.3, enteringSeconds: 30,
        bike: BikeReluctance(
            local: 0.15, greenway: 0.05, track: 0.05, lane: 0.15, sharrows: 0.25, arterial: 0.35,
            busy: 0.8))
}
