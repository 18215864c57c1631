// Which records of a file are the same opening: repetitions and pieces.
import BridgecastCore
import BridgecastData

/// What makes two rows the same opening.
struct OpeningIdentity: Hashable {
    let bridge: BridgeIndex
    let start: Timestamp
    let end: Timestamp?

    init(_ opening: Opening) {
        bridge = opening.bridge
        start = opening.start
        end = opening.end
    }
}

extension RecordFile {
    /// The indices of records that continue the opening of an earlier one, repetitions left out.
    func pieces(gapSeconds: Int64) -> Set<Int> {
        var pieces: Set<Int> = []
        let order = records.indices.sorted {
            let (a, b) = (records[$0].opening, records[$1].opening)
            return (a.bridge, a.start, a.end ?? a.start, $0)
                < (b.bridge, b.start, b.end ?? b.start, $1)
        }
        var current: Opening?
        for index in order {
            let opening = records[index].opening
            if let last = current, last.bridge == opening.bridge,
                let joined = OpeningConsolidation.join(last, opening, gapSeconds: gapSeconds)
            {
                pieces.insert(index)
                current = joined
            } else {
                current = opening
            }
        }
        return pieces
    }
}
