internal import BridgecastCore

/// Makes pieces of road from lines.
struct PieceCutter {
    /// The maximum length of a piece, metres, unless a single segment is longer: a walk along it fits an arc.
    static let maxMetres = 4_000.0
    static let maxPoints = 30_000

    private let strands: RoadStrands
    private let uses: [UInt8]

    /// Cuts and joins; O(points).
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
                    metres > Self.maxMetres - RoadStrands.longMetres
                    || end - start >= Self.maxPoints
                guard isLast || isLong || uses[Int(strand.points[end])] != 2 else { continue }
                result.append(piece(strand, start...end))
                start = end
                metres = 0
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

    /// Joins pieces of one direction and profile where nothing else meets.
    private func joined(_ pieces: [RoadPiece]) -> [RoadPiece] {
        var starting: [Int32: Int] = [:]
        for (number, piece) in pieces.enumerated() where uses[piece.tail] == 2 {
            starting[piece.points[0]] = number
        }
        var next = [Int](repeating: -1, count: pieces.count)
        var hasPrevious = [Bool](repeating: false, count: pieces.count)
        for (number, piece) in pieces.enumerated() where uses[piece.head] == 2 {
            guard let other = starting[Int32(piece.head)], other != number,
                pieces[other].profile == piece.profile
            else { continue }
            next[number] = other
            hasPrevious[other] = true
        }
        var result: [RoadPiece] = []
        var done = [Bool](repeating: false, count: pieces.count)
        // Chains from their first piece; then rings, which have none.
        for number in pieces.indices where !hasPrevious[number] {
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
        var piece = pieces[first]
        var last = first
        var metres = strands.metres(piece.points)
        done[first] = true
        while next[last] >= 0, !done[next[last]] {
            last = next[last]
            done[last] = true
            let more = strands.metres(pieces[last].points)
            if metres + more > Self.maxMetres
                || piece.points.count + pieces[last].points.count > Self.maxPoints
            {
                result.append(piece)
                piece = pieces[last]
                metres = more
                continue
            }
            piece.points += pieces[last].points.dropFirst()
            piece.lastWay = pieces[last].lastWay
            metres += more
        }
        return result + [piece]
    }

    /// A ring from a junction back to it as two halves: no piece ends where it begins.
    private func unlooped(_ piece: RoadPiece) -> [RoadPiece] {
        guard piece.tail == piece.head, piece.points.count > 2 else { return [piece] }
        let middle = piece.points.count / 2
        var first = piece
        var second = piece
        first.points = Array(piece.points[...middle])
        second.points = Array(piece.points[middle...])
        first.lastWay = piece.firstWay
        second.firstWay = piece.lastWay
        return [first, second]
    }
}

/// A piece of road between two junctions, both directions in one.
struct RoadPiece {
    /// Indices of the first and the last way of the extract that it is made from; below 0 for added lines.
    var firstWay, lastWay: Int
    /// The index of its profile, as seen along the line.
    var profile: Int
    var points: [Int32]
    /// Modes that may go along the line and against it.
    var forward, backward: RoadModes

    var tail: Int { Int(points[0]) }
    var head: Int { Int(points[points.count - 1]) }
}
