// Tables by bridge and day type, which climatologies and their counts are made of.

/// Numbers by bridge and day type, one or a row of them to each: [bridge, dayType, column].
public struct BridgeDayTable<Number: BinaryFloatingPoint & Sendable>: Sendable, Equatable {
    /// All numbers, row after row.
    public internal(set) var values: [Number]
    /// Numbers to each bridge and day type.
    public let columns: Int

    /// Rows of a table: one to each bridge and day type.
    private static var rowCount: Int { BridgeCatalogue.count * DayType.allCases.count }

    /// Takes over the numbers of a table; nil if they are not so many.
    init?(_ values: [Number], columns: Int = 1) {
        guard values.count == Self.rowCount * columns else { return nil }
        (self.values, self.columns) = (values, columns)
    }

    /// A table of one number everywhere.
    package init(repeating number: Number = 0, columns: Int = 1) {
        values = Array(repeating: number, count: Self.rowCount * columns)
        self.columns = columns
    }

    /// A number.
    public package(set) subscript(
        bridge: BridgeIndex, dayType: DayType, column: Int = 0
    ) -> Number {
        get { values[start(bridge, dayType) + column] }
        set { values[start(bridge, dayType) + column] = newValue }
    }

    /// The numbers of a bridge and day type.
    func row(_ bridge: BridgeIndex, _ dayType: DayType) -> ArraySlice<Number> {
        let start = start(bridge, dayType)
        return values[start..<start + columns]
    }

    /// The sum of all numbers of a bridge.
    func sum(of bridge: BridgeIndex) -> Number {
        DayType.allCases.reduce(0) { $0 + row(bridge, $1).reduce(0, +) }
    }

    /// Gives bridges of which nothing is known the mean of the others.
    mutating func pool(where isKnown: (BridgeIndex) -> Bool) {
        let known = BridgeIndex.all.filter(isKnown)
        guard !known.isEmpty else { return }
        for bridge in BridgeIndex.all where !isKnown(bridge) {
            for dayType in DayType.allCases {
                for column in 0..<columns {
                    self[bridge, dayType, column] =
                        known.reduce(0) { $0 + self[$1, dayType, column] } / Number(known.count)
                }
            }
        }
    }

    private func start(_ bridge: BridgeIndex, _ dayType: DayType) -> Int {
        (bridge.rawValue * DayType.allCases.count + dayType.rawValue) * columns
    }
}
