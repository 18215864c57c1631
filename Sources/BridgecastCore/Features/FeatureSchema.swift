import Foundation

/// The inputs of the network in order.
public enum FeatureSchema {
    /// Every input, in the order of a row.
    ///
    /// A forecast needs none of the names: they are made when they are first asked for.
    public static let features: [FeatureSpec] = {
        var layout = FeatureLayout(collectsSpecs: true)
        writeGroups(of: NoSource(), to: &layout)
        let features = layout.specs
        precondition(
            features.count == count && hash(of: features) == hash,
            "FeatureSchema must state count \(features.count), hash \(hash(of: features))")
        return features
    }()

    /// Inputs per row, F; stated, so that code that only needs it does not wait for 862 names.
    public static let count = 862

    /// FNV-1a 64 over name, unit and range of every input in order: equal only for equal schemas.
    ///
    /// Stated like ``count``; both are compared with ``features`` where the names are made.
    public static let hash: UInt64 = 0x17eb_0f5e_bb33_4933

    static func hash(of features: [FeatureSpec]) -> UInt64 {
        var hash = emptyHash
        for feature in features {
            add(feature.name, feature.unit.rawValue, feature.range, to: &hash)
        }
        return hash
    }

    /// The hash of no input: that of FNV-1a 64.
    package static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Adds `name|unit|low|high` and a line feed to a hash.
    package static func add(
        _ name: String, _ unit: String, _ range: ClosedRange<Float>, to hash: inout UInt64
    ) {
        func add(_ text: String) {
            for byte in text.utf8 { Self.add(byte, to: &hash) }
        }
        add(name)
        add("|")
        add(unit)
        for bound in [range.lowerBound, range.upperBound] {
            add("|")
            // As Swift prints a Float; whole numbers, which most are, without its printer.
            let whole = Int(exactly: bound).flatMap { $0.magnitude < 1 << 20 && $0 != 0 ? $0 : nil }
            add(whole.map { "\($0).0" } ?? "\(bound)")
        }
        add("\n")
    }

    @inlinable
    package static func add(_ byte: UInt8, to hash: inout UInt64) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}

// MARK: - The order of the groups

extension FeatureSchema {
    /// Writes the inputs that depend on a source; without one, all inputs.
    ///
    /// The calls are the order of a row. Each is specialised for its source and sink.
    static func writeGroups(
        of source: some FeatureSource, to sink: inout some FeatureSink & ~Copyable
    ) {
        var group = 0
        write(BridgeIdentityFeatures.self, &group, of: source, to: &sink)
        write(ClockFeatures.self, &group, of: source, to: &sink)
        write(CalendarFeatures.self, &group, of: source, to: &sink)
        write(LeadFeatures.self, &group, of: source, to: &sink)
        write(TideFeatures.self, &group, of: source, to: &sink)
        write(ClimatologyFeatures.self, &group, of: source, to: &sink)
        write(NavigationFeatures.self, &group, of: source, to: &sink)
        write(OwnStateFeatures.self, &group, of: source, to: &sink)
        write(LengthFeatures.self, &group, of: source, to: &sink)
        write(RecentActivityFeatures.self, &group, of: source, to: &sink)
        write(ConvoyFeatures.self, &group, of: source, to: &sink)
        // Last: rows that differ in traffic alone share what comes before.
        write(TrafficFeatures.self, &group, of: source, to: &sink)
    }

    @inline(__always)
    private static func write<Group: FeatureGroup, Source: FeatureSource>(
        _: Group.Type, _ group: inout Int, of source: Source,
        to sink: inout some FeatureSink & ~Copyable
    ) {
        if Source.kind == .layout || Group.depends(on: Source.kind) {
            sink.beginGroup(group)
            Group.write(source, to: &sink)
            sink.endGroup(group)
        }
        group += 1
    }

    /// The first input of each group, and the end of the last.
    static let groupStarts: [Int] = {
        var layout = FeatureLayout(collectsSpecs: false)
        writeGroups(of: NoSource(), to: &layout)
        return layout.starts + [layout.count]
    }()

    /// The first input of ``TrafficFeatures``, the last group.
    static let firstTrafficInput = groupStarts[groupStarts.count - 2]
}

// MARK: - One input

/// One input of the network.
public struct FeatureSpec: Sendable, Equatable {
    /// Unique name, `group.meaning`.
    public let name: String
    /// What one unit of the value is.
    public let unit: Unit
    /// The values it can take.
    public let range: ClosedRange<Float>

    /// Units of features.
    public enum Unit: String, Sendable {
        /// 0 or 1.
        case flag
        /// A weight of a soft bin, or a sum of such weights.
        case weight
        /// A pure number.
        case one
        /// Log-odds or a log ratio.
        case logit
    }

    init(_ name: String, _ unit: Unit, _ range: ClosedRange<Float>) {
        self.name = name
        self.unit = unit
        self.range = range
    }

    fileprivate static func hats(
        _ name: String, _ basis: HatBasis, to highest: Float, unit: String
    ) -> [FeatureSpec] {
        basis.knots.map { FeatureSpec("\(name)[\(text($0))\(unit)]", .weight, 0...highest) }
    }

    private static func text(_ knot: Double) -> String {
        knot == knot.rounded() ? String(Int(knot)) : String(knot)
    }
}

// MARK: - Groups, their sources and their sinks

/// A set of inputs that are described together.
///
/// ``write(_:to:)`` goes over the inputs in order and gives the name, range and value of each once. A value is nil
/// where the source does not know it: it belongs to another list of the row.
protocol FeatureGroup: SendableMetatype {
    /// Whether any of its values depend on sources of a kind.
    static func depends(on kind: FeatureSourceKind) -> Bool
    static func write(_ source: some FeatureSource, to row: inout some FeatureSink & ~Copyable)
}

/// What values are computed from; rows that have one in common share the list of its values.
enum FeatureSourceKind {
    /// No source: for the names and the number of inputs.
    case layout
    /// The valid time and the lead alone.
    case validTime
    /// The bridge and what is known at issue time alone.
    case issue
    /// The bridge and the valid time together.
    case arrival
    /// The density of traffic alone.
    case traffic
}

/// What values are computed from: each of its functions but one returns nil without calling its closure.
protocol FeatureSource {
    static var kind: FeatureSourceKind { get }
    func atValidTime<Value>(_ value: (ValidTimeContext) -> Value?) -> Value?
    func atIssue<Value>(_ value: (BridgeContext) -> Value?) -> Value?
    func atArrival<Value>(_ value: (RowContext) -> Value?) -> Value?
    func ofTraffic<Value>(_ value: (DensityContext) -> Value?) -> Value?
    /// A neighbour of the bridge by its index, if it is the one at an offset.
    func neighbour(_ index: Int, offset: Int) -> NeighbourContext?
}

extension FeatureSource {
    @inline(__always)
    func atValidTime<Value>(_ value: (ValidTimeContext) -> Value?) -> Value? { nil }
    @inline(__always)
    func atIssue<Value>(_ value: (BridgeContext) -> Value?) -> Value? { nil }
    @inline(__always)
    func atArrival<Value>(_ value: (RowContext) -> Value?) -> Value? { nil }
    @inline(__always)
    func ofTraffic<Value>(_ value: (DensityContext) -> Value?) -> Value? { nil }
    @inline(__always)
    func neighbour(_ index: Int, offset: Int) -> NeighbourContext? { nil }
}

/// A source without values: it lays all inputs out.
struct NoSource: FeatureSource {
    static var kind: FeatureSourceKind { .layout }
}

extension ValidTimeContext: FeatureSource {
    static var kind: FeatureSourceKind { .validTime }
    @inline(__always)
    func atValidTime<Value>(_ value: (ValidTimeContext) -> Value?) -> Value? { value(self) }
}

extension BridgeContext: FeatureSource {
    static var kind: FeatureSourceKind { .issue }
    @inline(__always)
    func atIssue<Value>(_ value: (BridgeContext) -> Value?) -> Value? { value(self) }
    @inline(__always)
    func neighbour(_ index: Int, offset: Int) -> NeighbourContext? {
        index < neighbours.count && neighbours[index].offset == offset ? neighbours[index] : nil
    }
}

extension RowContext: FeatureSource {
    static var kind: FeatureSourceKind { .arrival }
    @inline(__always)
    func atArrival<Value>(_ value: (RowContext) -> Value?) -> Value? { value(self) }
    @inline(__always)
    func neighbour(_ index: Int, offset: Int) -> NeighbourContext? {
        known.neighbour(index, offset: offset)
    }
}

extension DensityContext: FeatureSource {
    static var kind: FeatureSourceKind { .traffic }
    @inline(__always)
    func ofTraffic<Value>(_ value: (DensityContext) -> Value?) -> Value? { value(self) }
}

/// Where groups write their inputs: a list of a row, or the layout of all rows.
protocol FeatureSink: ~Copyable {
    mutating func beginGroup(_ number: Int)
    mutating func endGroup(_ number: Int)
    /// The next input; zero if the value is nil.
    mutating func input(_ spec: @autoclosure () -> FeatureSpec, _ value: Float?)
    /// The next inputs: one for each knot of a basis, all zero; returns the first of them.
    mutating func hats(_ specs: @autoclosure () -> [FeatureSpec], _ basis: HatBasis) -> Int
    /// Adds the weights of a value to the inputs of a basis that begin at one that has been passed.
    mutating func add(_ value: Double?, of basis: HatBasis, at start: Int)
    mutating func skip(_ inputs: Int)
}

extension FeatureSink where Self: ~Copyable {
    @inline(__always)
    mutating func flag(_ name: @autoclosure () -> String, _ value: Bool?) {
        input(FeatureSpec(name(), .flag, 0...1), value.map { $0 ? 1 : 0 })
    }

    /// The next inputs: the weights of a value in a basis.
    @inline(__always)
    mutating func hats(
        _ name: @autoclosure () -> String, _ basis: HatBasis, unit: String = "min",
        _ value: Double?
    ) {
        let start = sums(name(), basis, to: 1, unit: unit)
        add(value, of: basis, at: start)
    }

    /// The next inputs: sums of weights in a basis, to which values are added afterwards.
    @inline(__always)
    mutating func sums(
        _ name: @autoclosure () -> String, _ basis: HatBasis, to highest: Float,
        unit: String = "min"
    ) -> Int {
        hats(FeatureSpec.hats(name(), basis, to: highest, unit: unit), basis)
    }
}

extension RowWriter: FeatureSink {
    @inline(__always)
    mutating func beginGroup(_ number: Int) {
        // By a span: an array that is read from is retained.
        position = FeatureSchema.groupStarts.span[number]
    }

    @inline(__always)
    mutating func endGroup(_ number: Int) {
        precondition(
            position == FeatureSchema.groupStarts.span[number + 1],
            "a group writes the same inputs for every source")
    }

    @inline(__always)
    mutating func input(_ spec: @autoclosure () -> FeatureSpec, _ value: Float?) {
        if let value { append(value) } else { skip(1) }
    }

    @inline(__always)
    mutating func hats(
        _ specs: @autoclosure () -> [FeatureSpec], _ basis: HatBasis
    ) -> Int {
        defer { skip(basis.count) }
        return position
    }

    @inline(__always)
    mutating func add(_ value: Double?, of basis: HatBasis, at start: Int) {
        if let value { basis.add(value, to: &self, at: start) }
    }
}

/// Counts the inputs and, if wanted, keeps their specs.
struct FeatureLayout: FeatureSink {
    private let collectsSpecs: Bool
    private(set) var specs: [FeatureSpec] = []
    private(set) var count = 0
    private(set) var starts: [Int] = []

    init(collectsSpecs: Bool) { self.collectsSpecs = collectsSpecs }

    mutating func beginGroup(_ number: Int) { starts.append(count) }
    mutating func endGroup(_ number: Int) {}

    mutating func input(_ spec: @autoclosure () -> FeatureSpec, _ value: Float?) {
        if collectsSpecs { specs.append(spec()) }
        count += 1
    }

    mutating func hats(_ specs: @autoclosure () -> [FeatureSpec], _ basis: HatBasis) -> Int {
        if collectsSpecs { self.specs += specs() }
        defer { count += basis.count }
        return count
    }

    mutating func add(_ value: Double?, of basis: HatBasis, at start: Int) {}

    mutating func skip(_ inputs: Int) { count += inputs }
}

/// Piecewise linear soft bins: a value between two knots is shared between their weights.
struct HatBasis: Sendable {
    /// Increasing knots, minutes.
    let knots: [Double]
    /// Weights that a value is shared between.
    var count: Int { knots.count }

    init(_ knots: [Double]) { self.knots = knots }

    /// Adds the weights of a value to entries from `offset` on; none of one outside the knots.
    func add(_ value: Double, to values: inout RowWriter, at offset: Int) {
        guard let first = knots.first, let last = knots.last, value >= first, value <= last else {
            return
        }
        var upper = 1
        while upper < knots.count - 1, knots[upper] < value { upper += 1 }
        let share = Float((value - knots[upper - 1]) / (knots[upper] - knots[upper - 1]))
        values.add(1 - share, at: offset + upper - 1)
        values.add(share, at: offset + upper)
    }
}
