import Foundation

/// Openings of the bridges to either side on the same waterway, relative to the valid time.
///
/// A neighbour's opening counts by how much later the valid time is than a boat's expected passage
/// here: its start plus 7.7 minutes a mile, the median of the records. A *pending* boat is one that
/// seems to be on its way: it did not come from here, and has not been let through yet. How long a
/// neighbour was up hints at how many boats went through, and when it was lowered at the last of them.
enum ConvoyFeatures: FeatureGroup {
    private static let offsets = [-3, -2, -1, 1, 2, 3]
    private static let lateness = HatBasis([
        -40, -30, -20, -12, -8, -4, -2, 0, 2, 4, 8, 12, 20, 30, 45, 60, 90,
    ])
    private static let pendingLateness = HatBasis([-20, -12, -8, -4, -2, 0, 2, 4, 8, 12, 20])
    private static let sinceStart = HatBasis([0, 5, 10, 15, 20, 30, 45, 60, 90, 180])
    /// Names of the openings that count, the newest first.
    private static let openings = ["last", "before", "third"]

    static func depends(on kind: FeatureSourceKind) -> Bool { kind == .issue || kind == .arrival }

    static func write<Source: FeatureSource, Sink: FeatureSink & ~Copyable>(
        _ source: Source, to row: inout Sink
    ) {
        var next = 0
        for offset in offsets {
            if let neighbour = source.neighbour(next, offset: offset) {
                next += 1
                write(neighbour, offset: offset, source, to: &row)
            } else if Source.kind == .layout {
                write(nil, offset: offset, source, to: &row)
            } else {
                // Where there is no bridge nothing is known.
                row.skip(NeighbourContext.isNext(offset) ? widths.next : widths.others)
            }
        }
    }

    /// Inputs of a bridge next to the one a row is about, and of one farther away.
    private static let widths: (next: Int, others: Int) = (width(offset: 1), width(offset: 2))

    private static func width(offset: Int) -> Int {
        var layout = FeatureLayout(collectsSpecs: false)
        write(nil, offset: offset, NoSource(), to: &layout)
        return layout.count
    }

    @inline(__always)
    private static func write<Source: FeatureSource, Sink: FeatureSink & ~Copyable>(
        _ neighbour: NeighbourContext?, offset: Int, _ source: Source, to row: inout Sink
    ) {
        /// Minutes from a boat's expected passage here to the valid time, by when it was let through.
        @inline(__always)
        func late(_ start: Timestamp?) -> Double? {
            source.atArrival { row in
                guard let neighbour, let start else { return nil }
                return row.validTime.minutes(since: start) - neighbour.transitMinutes
            }
        }
        let known = source.atIssue { bridge in
            neighbour.map { bridge.issue.situation[$0.bridge] }
        }
        let issueTime = source.atIssue { $0.issue.issueTime }
        row.flag("\(name(offset)).known", known.map { $0.observedSince != nil })
        row.flag("\(name(offset)).raised", known?.state.isRaised)
        for index in openings.indices {
            row.hats("\(name(offset)).\(openings[index])", lateness, late(neighbour?[start: index]))
        }
        row.hats("\(name(offset)).closing", lateness, late(neighbour?.openings.newestEnd))
        OpeningLength.write("\(name(offset)).length", of: known, 0, at: issueTime, to: &row)
        OpeningLength.write("\(name(offset)).lengthBefore", of: known, 1, at: issueTime, to: &row)
        if NeighbourContext.isNext(offset) {
            let start = row.sums("\(name(offset)).pending", pendingLateness, to: 3)
            for index in 0..<(neighbour?.openings.count ?? 0)
            where neighbour?.isPending(index) == true {
                row.add(late(neighbour?[start: index]), of: pendingLateness, at: start)
            }
            row.hats(
                "\(name(offset)).sinceStart", sinceStart,
                known?.recent.first.flatMap { newest in
                    issueTime.map { $0.minutes(since: newest.start) }
                })
        }
        RecentActivityFeatures.writeCounts(name(offset), of: known, before: issueTime, to: &row)
        row.input(
            FeatureSpec("\(name(offset)).today", .one, 0...3),
            known.map { min(3, Float(log1p(Double($0.openingsToday)))) })
    }

    private static func name(_ offset: Int) -> String {
        "convoy.\(offset < 0 ? "seaward" : "inland")\(abs(offset))"
    }
}

extension NeighbourContext {
    /// When an opening began, the newest first; nil if there are fewer.
    fileprivate subscript(start index: Int) -> Timestamp? {
        index < openings.count ? openings[index] : nil
    }
}
