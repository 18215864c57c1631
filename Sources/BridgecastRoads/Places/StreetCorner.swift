// A place where two streets meet; typed texts and completions lead to it.
internal import BridgecastCore

/// Where two streets meet.
struct StreetCorner {
    /// Numbers of their names.
    let streets: (Int, Int)
    /// Its junctions: several where a street has its directions apart.
    var nodes: [Int]

    /// Whether it is a corner of the same streets.
    func hasStreets(_ other: (Int, Int)) -> Bool { streets == other }
}
