// Boards of times that are over, made again from what the records knew then; for requests that name an issue time.
internal import Bridgecast
internal import BridgecastAnswers
internal import BridgecastEngine
internal import BridgecastLive

/// Makes boards of the past and keeps those that were asked for last.
///
/// Each sees the records up to its time and nothing later, through ``SituationReader``. It is what a service that
/// watched the bridges would have said with the model in use; traffic of the past is not recorded, so the usual one
/// stands in.
final class PastBoards: Sendable {
    /// A page that plays a day asks for one after the other, several times each.
    static let most = 64

    private let boards = Shelf<Board>(most: most)

    init() {}

    /// The board of a time, made if it is not kept.
    ///
    /// - Parameter issueTime: It is over by the service's clock.
    /// - Throws: ``Problem`` if nothing can be forecast now; what reading the records throws.
    func board(at issueTime: Timestamp, _ state: ServiceState) async throws -> Board {
        let records = try state.records.records(state, knowing: issueTime)
        let named = state.models.named
        let date = SeattleTime.civil(at: issueTime).date
        let key = [Int(issueTime.secondsSinceEpoch)] + records.key(of: date, named)
        return try await boards.item(key) {
            try await Self.board(at: issueTime, records, named.model, state.parts.inference)
        }
    }

    private static func board(
        at issueTime: Timestamp, _ records: RecordShelf.Prepared, _ model: LoadedModel,
        _ inference: TrafficInference
    ) async throws(Problem) -> Board {
        let situation = records.reader.situation(at: issueTime)
        let traffic = TrafficDensity()
        let table: ForecastTable
        do {
            table = try await inference.table(
                in: situation, reaching: LivePipeline.reachMinutes, traffic: traffic, model: model)
        } catch {
            throw Problem(error)
        }
        let coverage = records.history.coverage
        let past = Board.Past(
            source: SourceStatus(records: records.history, at: issueTime),
            warnings: RecordWarnings.words(
                of: "time",
                isCovered: BridgeIndex.all.contains { coverage.contains(issueTime, of: $0) },
                forecast: (by: model.header, of: issueTime)))
        return Board(
            update: LiveUpdate(situation, table, traffic: traffic, model: model), past: past)
    }
}
