// The climatology that every skill is measured against.
package import BridgecastCore

/// The climatology that every skill is measured against; fixed, so that figures compare.
///
/// For each bridge and day type the share of covered minutes that were blocked at each minute of the day,
/// smoothed circularly by a Gaussian of 15 minutes' standard deviation, with 0.02 blocked in 1 besides.
package struct ClimatologyBaseline: Baseline {
    let climatology: Climatology

    /// Counts the records, at a resolution of one minute of the day.
    package init(_ history: OpeningHistory) {
        climatology = Climatology(ClimatologyCounts(history), slotsPerDay: 1440)
    }

    package func probabilityBlocked(_ query: BaselineQuery) -> Float {
        climatology.openProbability(of: query.bridge, at: query.validCivil)
    }
}
