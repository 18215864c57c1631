// The report of an import as lines for people.
internal import BridgecastCore

extension RoadImportReport: CustomStringConvertible {
    /// Lines for people.
    public var description: String {
        (heading + classLines + crossingLines + droppedLines + remarks.map { "note: \($0)" })
            .joined(separator: "\n")
    }

    private var heading: [String] {
        [
            "\(source): \(extractWays) ways, \(extractNodes) nodes",
            "map: \(nodes) junctions, \(arcs) directed pieces of road, \(shapePoints) points between, "
                + "\(names) names; open to cars \(arcsByMode[0]), bikes \(arcsByMode[1]), "
                + "walkers \(arcsByMode[2])",
        ]
    }

    private var classLines: [String] {
        let all = classes.reduce(0) { $0 + $1.kilometres }
        return ["roads: \(Self.tenths(all)) km of \(Self.tenths(readKilometres)) km read"]
            + classes.filter { $0.arcs > 0 }.map {
                "  \($0.name): \(Self.tenths($0.kilometres)) km, \($0.arcs) pieces"
            }
    }

    private var crossingLines: [String] {
        ["crossings of water: \(crossings.count)"]
            + crossings.map { crossing in
                let range = crossing.metres ?? 0...0
                return "  \(crossing.isDrawbridge ? "drawbridge" : "fixed") \(crossing.name): "
                    + "\(crossing.arcs) pieces of \(Int(range.lowerBound)) to "
                    + "\(Int(range.upperBound)) m"
                    + (crossing.ways.isEmpty
                        ? "" : ", ways " + crossing.ways.map(String.init).joined(separator: ", "))
            }
    }

    /// What was left out, and why, with examples.
    var leftOut: [String] {
        dropped.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, dropped in
            let examples = dropped.examples.map(\.description).joined(separator: ", ")
            return "\(dropped.count) \(reason.words)"
                + (examples.isEmpty ? "" : ", such as \(examples)")
        }
    }

    private var droppedLines: [String] {
        ["left out:"] + leftOut.map { "  \($0)" }
            + [
                (omissions.duplicates, "elements whose number was there before"),
                (omissions.deleted, "deleted elements"),
                (omissions.restrictionsOverWays, "turn restrictions that lead over a way"),
                (omissions.unknownRestrictions, "turn restrictions of no known kind"),
            ].filter { $0.0 > 0 }.map { "  \($0.0) \($0.1)" }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
