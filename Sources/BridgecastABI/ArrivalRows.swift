// Rows of arrivals at bridges: the delay that was forecast at each row's issue time, and the delay by the records.
internal import BridgecastEngine
import Bridgecast
import CBridgecast

/// Memory that calls for rows keep from one to the next.
struct ArrivalScratch {
    fileprivate var requests: [ArrivalRequest] = []
    fileprivate var batch = FeatureBatch()
    fileprivate var probabilities: [Float] = []
    fileprivate var workspace = Workspace()
}

/// A row that can be answered, in the order in which rows are computed: by issue time, which they share.
private struct ArrivalRequest: Comparable {
    let issueTime: Timestamp
    let row: Int
    let bridge: BridgeIndex
    let leadMinutes: Double
    let density: Float

    static func < (one: Self, other: Self) -> Bool {
        (one.issueTime, one.row) < (other.issueTime, other.row)
    }
}

extension Handle {
    /// Rows that are computed at a time: as many as fit the caches.
    private static var rowsPerBatch: Int { 4096 }

    /// Answers rows in the order of their issue times, so that each situation is made once.
    func forecast(_ rows: ArrivalRowsInC, _ state: inout State) throws {
        var scratch = state.arrivalScratch
        state.arrivalScratch = ArrivalScratch()
        defer { state.arrivalScratch = scratch }
        scratch.requests.removeAll(keepingCapacity: true)
        for row in unsafe 0..<rows.count {
            do throws(RowRefusal) {
                unsafe scratch.requests.append(try rows.request(row))
            } catch {
                unsafe rows.refuse(row, error.status)
            }
        }
        scratch.requests.sort()
        let served = inference.current
        // Kept until all rows are computed: a batch knows a situation by its memory.
        var situation = Situation.unknown(at: .earliest)
        for start in stride(from: 0, to: scratch.requests.count, by: Self.rowsPerBatch) {
            let end = min(start + Self.rowsPerBatch, scratch.requests.count)
            scratch.batch.removeAll()
            for request in scratch.requests[start..<end] {
                if request.issueTime != situation.issueTime {
                    situation = state.situation(known: request.issueTime)
                }
                served.builder.append(
                    request.bridge, leadMinutes: request.leadMinutes, density: request.density,
                    in: situation, to: &scratch.batch)
            }
            served.model.predict(
                scratch.batch, into: &scratch.probabilities, workspace: &scratch.workspace,
                units: inference.computeUnits)
            for (index, request) in scratch.requests[start..<end].enumerated() {
                unsafe rows.write(
                    DelayDistribution(row: index, of: scratch.probabilities), at: request.row)
            }
        }
    }

    /// The delays that openings caused, by the records.
    func recordedDelays(_ rows: RecordedArrivalRowsInC, _ state: inout State) throws {
        let history = state.records?.history ?? OpeningHistory(records: [], coverage: .empty)
        for row in unsafe 0..<rows.count {
            do throws(RowRefusal) {
                let (bridge, time, density) = unsafe try rows.arrival(row)
                guard history.coverage.contains(time, of: bridge) else {
                    throw RowRefusal(.notRecorded)
                }
                unsafe rows.write(
                    history.delaySeconds(
                        arrivingAt: time, of: bridge, density: Double(density)), at: row)
            } catch {
                unsafe rows.refuse(row, error.status)
            }
        }
    }
}

extension Handle.State {
    /// What the records say of a time, without anything later; nothing without records.
    func situation(known issueTime: Timestamp) -> Situation {
        records?.reader.situation(at: issueTime) ?? .unknown(at: issueTime)
    }
}

// MARK: - In the caller's memory

/// The rows of bridgecast_forecast_rows.
@unsafe struct ArrivalRowsInC {
    let count: Int
    private let bridge: ColumnInC<Int32>
    private let issueTime: ColumnInC<Int64>
    private let arrival: ColumnInC<Int64>
    private let rho: ColumnInC<Double>
    private let status: UnsafeMutablePointer<Int32>
    private let delays: DelayColumnsInC

    init(_ rows: bridgecast_arrivals) throws {
        unsafe count = try unsafe rowCount(rows.count)
        unsafe bridge = try unsafe ColumnInC(rows.bridge, "bridge")
        unsafe issueTime = try unsafe ColumnInC(rows.issue_time, "issue_time")
        unsafe arrival = try unsafe ColumnInC(rows.arrival, "arrival")
        unsafe rho = try unsafe ColumnInC(rows.rho, "rho", mayBeMissing: true)
        unsafe status = try unsafe neededStatus(rows.status)
        unsafe delays = unsafe DelayColumnsInC(
            probabilityDelayed: rows.probability_delayed, expected: rows.expected_s,
            p50: rows.p50_s, p80: rows.p80_s, p95: rows.p95_s)
    }

    fileprivate func request(_ row: Int) throws(RowRefusal) -> ArrivalRequest {
        let bridge = try unsafe bridge.bridge(row)
        let issueTime = try unsafe issueTime.time(row)
        let time = try unsafe arrival.time(row)
        let lead = time.minutes(since: issueTime)
        guard lead >= 0 else { throw RowRefusal(.past) }
        guard lead <= ForecastTable.maxLeadMinutes else { throw RowRefusal(.far) }
        return ArrivalRequest(
            issueTime: issueTime, row: row, bridge: bridge, leadMinutes: lead,
            density: try unsafe rho.saturation(row, of: bridge, at: time))
    }

    func refuse(_ row: Int, _ reason: RowStatus) {
        unsafe status[row] = reason.rawValue
        unsafe delays.writeNothing(at: row)
    }

    func write(_ delay: DelayDistribution?, at row: Int) {
        guard let delay else { return unsafe refuse(row, .failed) }
        unsafe status[row] = RowStatus.ok.rawValue
        unsafe delays.write(delay, at: row)
    }
}

/// The rows of bridgecast_delay_rows.
@unsafe struct RecordedArrivalRowsInC {
    let count: Int
    private let bridge: ColumnInC<Int32>
    private let arrival: ColumnInC<Int64>
    private let rho: ColumnInC<Double>
    private let status: UnsafeMutablePointer<Int32>
    private let delay: UnsafeMutablePointer<Double>

    init(_ rows: bridgecast_recorded_arrivals) throws {
        unsafe count = try unsafe rowCount(rows.count)
        unsafe bridge = try unsafe ColumnInC(rows.bridge, "bridge")
        unsafe arrival = try unsafe ColumnInC(rows.arrival, "arrival")
        unsafe rho = try unsafe ColumnInC(rows.rho, "rho", mayBeMissing: true)
        unsafe status = try unsafe neededStatus(rows.status)
        guard let delay = unsafe rows.delay_s else {
            throw ABIFailure(BRIDGECAST_USAGE, "delay_s must not be NULL")
        }
        unsafe self.delay = unsafe delay
    }

    func arrival(_ row: Int) throws(RowRefusal) -> (BridgeIndex, Timestamp, density: Float) {
        let bridge = try unsafe bridge.bridge(row)
        let time = try unsafe arrival.time(row)
        return (bridge, time, try unsafe rho.saturation(row, of: bridge, at: time))
    }

    func refuse(_ row: Int, _ reason: RowStatus) {
        unsafe status[row] = reason.rawValue
        unsafe delay[row] = .nan
    }

    func write(_ seconds: Double, at row: Int) {
        unsafe status[row] = RowStatus.ok.rawValue
        unsafe delay[row] = seconds
    }
}

/// - Throws: `ABIFailure` for a number of rows that no memory has.
func rowCount(_ count: Int) throws -> Int {
    guard (0...Int(Int32.max)).contains(count) else {
        throw ABIFailure(
            BRIDGECAST_USAGE, "a count is too large; at most \(Int32.max) rows in a call")
    }
    return count
}

/// - Throws: `ABIFailure` if there is no memory for statuses.
func neededStatus(_ status: UnsafeMutablePointer<Int32>?) throws -> UnsafeMutablePointer<Int32> {
    guard let status = unsafe status else {
        throw ABIFailure(BRIDGECAST_USAGE, "status must not be NULL")
    }
    return unsafe status
}
