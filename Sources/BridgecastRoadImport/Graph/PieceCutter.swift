// Lines cut at junctions and joined where nothing changes: the second step of an import.
internal import BridgecastCore

/// Makes pieces of road of lines.
struct PieceCutter {
    /// Pieces are at most so long, metres, unless a single stretch is longer: a walk along it fits an arc.
    static let mostMetres = 4_000.0
    /// And have at most so many points.
    static let mostPoints = 30_000

    private let strands: RoadStrands
    private let uses: [UInt8]

    /// Cuts and joins.
    ///
    /// O(points).
    static func pieces(_ strands: RoadStrands) -> [RoadPiece] {
        let cutter = PieceCutter(strands: strands, uses: strands.uses())
        return cutter.joined(cutter.cut()).flatMap(cutter.unlooped)
    }

    // MARK: Cutting

    private func cut() -> [RoadPiece] {
        var result: [RoadPiece] = []
        result.reserveCapacity(strands.strands.count * 2)
        for strand in strands.strands {
            var start = 0
            var metres = 0.0
            for end in strand.points.indices.dropFirst() {
                let step = strands.points[Int(strand.points[end - 1])].metres(
                    to: strands.points[Int(strand.points[end])])
                let isLast = end == strand.points.count - 1
                metres += step
                let isLong =
                    metres > Self.mostMetres - RoadStrands.longMetres
                    || end - start >= Self.mostPoints
                guard isLast || isLong || uses[Int(strand.points[end])] != 2 else { continue }
                result.append(piece(strand, start...end))
                (start, metres) = (end, 0)
            }
        }
        return result
    }

    private func piece(_ strand: RoadStrand, _ range: ClosedRange<Int>) -> RoadPiece {
        let profile = strands.profiles[strand.profile]
        return RoadPiece(
            firstWay: strand.way, lastWay: strand.way, profile: strand.profile,
            points: Array(strand.points[range]), forward: profile.forward.modes,
            backward: profile.backward.modes)
    }

    // MARK: Joining

    /// Joins pieces that are drawn in one direction and have the same profile, where nothing else meets.
    private func joined(_ pieces: [RoadPiece]) -> [RoadPiece] {
        var starting: [Int32: Int] = [:]
        for (number, piece) in pieces.enumerated() where uses[piece.tail] == 2 {
            starting[piece.points[0]] = number
        }
        var next = [Int](repeating: -1, count: pieces.count)
        var isLed = [Bool](repeating: false, count: pieces.count)
        for (number, piece) in pieces.enumerated() where uses[piece.head] == 2 {
            guard let other = starting[Int32(piece.head)], other != number,
                pieces[other].profile == piece.profile
            else { continue }
            (next[number], isLed[other]) = (other, true)
        }
        var result: [RoadPiece] = []
        var done = [Bool](repeating: false, count: pieces.count)
        // Chains from their first piece on; then rings, which have none.
        for number in pieces.indices where !isLed[number] {
            result += chain(from: number, pieces, next, &done)
        }
        for number in pieces.indices where !done[number] {
            result += chain(from: number, pieces, next, &done)
        }
        return result
    }

    private func chain(
        from first: Int, _ pieces: [RoadPiece], _ next: [Int], _ done: inout [Bool]
    ) -> [RoadPiece] {
        var result: [RoadPiece] = []
        var (piece, at) = (pieces[first], first)
        var metres = strands.metres(piece.points)
        done[first] = true
        while next[at] >= 0, !done[next[at]] {
            at = next[at]
            done[at] = true
            let more = strands.metres(pieces[at].points)
            if metres + more > Self.mostMetres
                || piece.points.count + pieces[at].points.count > Self.mostPoints
            {
                result.append(piece)
                (piece, metres) = (pieces[at], more)
                continue
            }
            piece.points += pieces[at].points.dropFirst()
            piece.lastWay = pieces[at].lastWay
            metres += more
        }
        return result + [piece]
    }

    /// A ring from a junction back to it in two halves: no piece leads to where it begins.
    private func unlooped(_ piece: RoadPiece) -> [RoadPiece] {
        guard piece.tail == piece.head, piece.points.count > 2 else { return [piece] }
        let middle = piece.points.count / 2
        var (first, second) = (piece, piece)
        first.points = Array(piece.points[...middle])
        second.points = Array(piece.points[middle...])
        (first.lastWay, second.firstWay) = (piece.firstWay, piece.lastWay)
        return [first, second]
    }
}
