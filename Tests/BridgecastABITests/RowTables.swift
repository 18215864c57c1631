// Rows as a C caller hands them over, and what comes back: the memory is here, the tests see arrays.
import Bridgecast
import BridgecastABI
import BridgecastTestSupport
import CBridgecast
import Foundation

/// A handle on the shipped model.
@safe final class TestHandle {
    let pointer: OpaquePointer?

    init() {
        unsafe pointer = unsafe bridgecastOpen(
            Fixtures.model("bridgecast.int8.bcm").path, nil, nil, 0)
    }

    deinit { unsafe bridgecastClose(pointer) }

    var error: String {
        guard let text = unsafe bridgecastError(pointer) else { return "no handle" }
        return unsafe String(cString: text)
    }

    /// Reads the shipped records.
    func readShippedRecords() -> Int32 {
        read(
            Fixtures.recordFiles.map(\.path), coverage: Fixtures.trainingData("coverage.json").path)
    }

    func read(_ files: [String], coverage: String) -> Int32 {
        let texts = files.map { Memory(Array($0.utf8CString)) }
        let pointers = unsafe Memory(
            texts.map { unsafe UnsafePointer($0.pointer) as UnsafePointer<CChar>? })
        return unsafe bridgecastReadRecords(
            pointer, UnsafePointer(pointers.pointer), files.count, coverage)
    }

    /// Sets openings and the periods of bridges in which they are complete.
    func set(
        _ openings: [Opening], covering periods: [(bridge: Int32, time: Range<Timestamp>)]
    ) -> Int32 {
        func seconds(_ time: Timestamp?) -> Double {
            time.map { Double($0.secondsSinceEpoch) } ?? .nan
        }
        return unsafe bridgecastSetRecords(
            pointer, openings.count, openings.map { id(of: $0.bridge) },
            openings.map { seconds($0.start) }, openings.map { seconds($0.end) }, periods.count,
            periods.map(\.bridge), periods.map { seconds($0.time.lowerBound) },
            periods.map { seconds($0.time.upperBound) })
    }
}

func id(of bridge: BridgeIndex) -> Int32 { Int32(BridgeCatalogue[bridge].id.rawValue) }

/// An array at an address that does not change.
@safe final class Memory<Element: BitwiseCopyable> {
    let pointer: UnsafeMutablePointer<Element>
    let count: Int

    init(_ elements: [Element]) {
        count = elements.count
        unsafe pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
        unsafe pointer.initialize(from: elements, count: elements.count)
    }

    deinit { unsafe pointer.deallocate() }

    var elements: [Element] { unsafe Array(UnsafeBufferPointer(start: pointer, count: count)) }
}

/// A column with values that are null, laid out as Arrow lays out a part of a longer array.
@safe final class TestColumn<Element: BitwiseCopyable> {
    private let values: Memory<Element>
    private let validity: Memory<UInt8>
    private let offset: Int

    /// - Parameter offset: How many elements are before the first.
    init(_ elements: [Element?], null: Element, offset: Int = 0) {
        values = Memory(Array(repeating: null, count: offset) + elements.map { $0 ?? null })
        var bits = Array(repeating: UInt8(0), count: (offset + elements.count + 7) / 8)
        for (index, element) in elements.enumerated() where element != nil {
            bits[(offset + index) / 8] |= 1 << UInt8((offset + index) % 8)
        }
        validity = Memory(bits)
        self.offset = offset
    }

    var column: bridgecast_column {
        unsafe bridgecast_column(
            values: UnsafeRawPointer(values.pointer), validity: UnsafePointer(validity.pointer),
            offset: Int64(offset))
    }
}

// MARK: - Arrivals

struct ArrivalRow {
    var bridge: Int32? = 2
    var issueTime: Int64?
    var arrival: Int64?
    var rho: Double?
}

struct ArrivalAnswer: Equatable {
    var status: Int32
    /// Bits of the five numbers, so that NaN is NaN.
    var bits: [UInt64]
}

extension TestHandle {
    func forecast(_ rows: [ArrivalRow], offset: Int = 0) -> (code: Int32, answers: [ArrivalAnswer])
    {
        let bridges = TestColumn(rows.map(\.bridge), null: 2, offset: offset)
        let issueTimes = TestColumn(rows.map(\.issueTime), null: 0, offset: offset)
        let arrivals = TestColumn(rows.map(\.arrival), null: 0, offset: offset)
        let rhos = TestColumn(rows.map(\.rho), null: 0.5, offset: offset)
        let status = Memory([Int32](repeating: -7, count: rows.count))
        let numbers = (0..<5).map { _ in Memory([Double](repeating: -7, count: rows.count)) }
        var table = unsafe bridgecast_arrivals()
        unsafe table.size = MemoryLayout<bridgecast_arrivals>.size
        unsafe table.count = rows.count
        unsafe table.bridge = bridges.column
        unsafe table.issue_time = issueTimes.column
        unsafe table.arrival = arrivals.column
        unsafe table.rho = rhos.column
        unsafe table.status = status.pointer
        unsafe table.probability_delayed = numbers[0].pointer
        unsafe table.expected_s = numbers[1].pointer
        unsafe table.p50_s = numbers[2].pointer
        unsafe table.p80_s = numbers[3].pointer
        unsafe table.p95_s = numbers[4].pointer
        let code = withExtendedLifetime((bridges, issueTimes, arrivals, rhos)) {
            unsafe bridgecastForecastRows(pointer, &table)
        }
        let columns = numbers.map(\.elements)
        let answers = rows.indices.map { row in
            ArrivalAnswer(
                status: status.elements[row], bits: columns.map { $0[row].bitPattern })
        }
        return (code, answers)
    }
}

// MARK: - Trips

struct TripRow {
    struct Step {
        var minutes: Double?
        var spread: Double?
        var bridge: Int32?
    }

    var issueTime: Int64?
    var departure: Int64?
    var mode: Int32? = 0
    /// nil for null.
    var candidates: [[Step]]?
}

struct TripAnswer: Equatable {
    var status: Int32
    var ranks: [Int32]
    /// By candidate, the bits of the six numbers.
    var bits: [[UInt64]]
}

extension TestHandle {
    /// - Parameter spoil: Changes what the caller hands over.
    @safe func rank(
        _ rows: [TripRow], offset: Int = 0, spoil: (inout bridgecast_trips) -> Void = { _ in }
    ) -> (code: Int32, answers: [TripAnswer]) {
        let candidates = rows.flatMap { $0.candidates ?? [] }
        let steps = candidates.flatMap(\.self)
        let issueTimes = TestColumn(rows.map(\.issueTime), null: 0, offset: offset)
        let departures = TestColumn(rows.map(\.departure), null: 0, offset: offset)
        let modes = TestColumn(rows.map(\.mode), null: 0, offset: offset)
        let firstCandidates = TestOffsets(rows.map { $0.candidates?.count })
        let firstSteps = TestOffsets(candidates.map(\.count))
        let minutes = TestColumn(steps.map(\.minutes), null: 3, offset: offset)
        let spreads = TestColumn(steps.map(\.spread), null: 3, offset: offset)
        let bridges = TestColumn(steps.map(\.bridge), null: 3, offset: offset)
        let status = Memory([Int32](repeating: -7, count: rows.count))
        let ranks = Memory([Int32](repeating: -7, count: candidates.count))
        let numbers = (0..<6).map { _ in Memory([Double](repeating: -7, count: candidates.count)) }
        var table = unsafe bridgecast_trips()
        unsafe table.size = MemoryLayout<bridgecast_trips>.size
        unsafe table.count = rows.count
        unsafe table.candidate_count = candidates.count
        unsafe table.step_count = steps.count
        unsafe table.issue_time = issueTimes.column
        unsafe table.departure = departures.column
        unsafe table.mode = modes.column
        unsafe table.first_candidate = firstCandidates.column
        unsafe table.first_step = firstSteps.column
        unsafe table.minutes = minutes.column
        unsafe table.spread = spreads.column
        unsafe table.bridge = bridges.column
        unsafe table.status = status.pointer
        unsafe table.rank = ranks.pointer
        unsafe table.expected_s = numbers[0].pointer
        unsafe table.p50_s = numbers[1].pointer
        unsafe table.p80_s = numbers[2].pointer
        unsafe table.p90_s = numbers[3].pointer
        unsafe table.probability_stopped = numbers[4].pointer
        unsafe table.expected_delay_s = numbers[5].pointer
        unsafe spoil(&table)
        let code = withExtendedLifetime((issueTimes, departures, modes, firstCandidates)) {
            withExtendedLifetime((firstSteps, minutes, spreads, bridges)) {
                unsafe bridgecastRankRows(pointer, &table)
            }
        }
        return (
            code,
            Self.answers(rows, status.elements, ranks.elements, columns: numbers.map(\.elements))
        )
    }

    private static func answers(
        _ rows: [TripRow], _ status: [Int32], _ ranks: [Int32], columns: [[Double]]
    ) -> [TripAnswer] {
        var first = 0
        return rows.indices.map { row in
            let candidates = first..<first + (rows[row].candidates?.count ?? 0)
            first = candidates.upperBound
            return TripAnswer(
                status: status[row], ranks: Array(ranks[candidates]),
                bits: candidates.map { at in columns.map { $0[at].bitPattern } })
        }
    }
}

/// Offsets of lists, null where a length is nil.
@safe final class TestOffsets {
    private let offsets: Memory<Int32>
    private let validity: Memory<UInt8>

    init(_ lengths: [Int?]) {
        offsets = Memory(lengths.reduce(into: [0]) { $0.append(($0.last ?? 0) + Int32($1 ?? 0)) })
        var bits = Array(repeating: UInt8(0), count: lengths.count / 8 + 1)
        for (index, length) in lengths.enumerated() where length != nil {
            bits[index / 8] |= 1 << UInt8(index % 8)
        }
        validity = Memory(bits)
    }

    var column: bridgecast_column {
        unsafe bridgecast_column(
            values: UnsafeRawPointer(offsets.pointer), validity: UnsafePointer(validity.pointer),
            offset: 0)
    }
}
