// What openings and coverage are known by when files of records do not say all: `--coverage`, `--merge-gap`. For
// `origins`.
import BridgecastCore
import BridgecastDigest

extension OpeningHistory {
    /// SHA-256 of the merged openings and of where they are complete, hexadecimal; O(n).
    var digest: String {
        var digest = SHA256()
        func add(_ kind: String, _ span: Range<Timestamp>) {
            let (from, to) = (
                span.lowerBound.secondsSinceEpoch, span.upperBound.secondsSinceEpoch
            )
            digest.update(Array("\(kind) \(from) \(to)\n".utf8).span)
        }
        for bridge in BridgeIndex.all {
            digest.update(Array("\(BridgeCatalogue[bridge].name)\n".utf8).span)
            for period in coverage.periods[bridge.rawValue] { add("covered", period) }
            for opening in openings[bridge.rawValue] {
                add("opening", opening.start..<(opening.end ?? .latest))
                for seam in opening.seams { add("seam", seam) }
            }
        }
        return hexadecimal(digest.finish())
    }
}
