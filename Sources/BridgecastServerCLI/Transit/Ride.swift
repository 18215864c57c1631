// A ride on a run from one stop to another, followed view by view, as a journey for the rider's journal.
import ArgumentParser
import BridgecastCLI
import BridgecastCore
import BridgecastJourneys
internal import BridgecastSupport
import BridgecastTransit
import BridgecastTransitAnswers

/// `--keep`, `--from` and `--to` of `trip`.
struct RideOptions: ParsableArguments {
    @Flag(
        name: .long,
        help:
            "Enter the ride in your journal once the vehicle is at --to: as planned, as forecast when it left --from, and as it was. With --watch, follow it until then."
    )
    var keep = false

    @Option(
        name: .long, help: "The stop where you board: its name, or a part of it, or its identifier."
    )
    var from: String?

    @Option(name: .long, help: "The stop where you alight.")
    var to: String?

    @OptionGroup var journal: JournalOptions

    func validate() throws {
        guard !keep || from != nil && to != nil else {
            throw ValidationError("--keep needs --from and --to")
        }
        guard keep || from == nil && to == nil && journal.isDefault else {
            throw ValidationError("--from, --to, --journal and --key need --keep")
        }
    }

    /// The ride that is to be kept; nil without `--keep`.
    var ride: Ride? {
        guard keep, let from, let to else { return nil }
        return Ride(from: from, to: to)
    }
}

/// A ride that is followed: each view of its run adds to it.
@MainActor
final class Ride {
    /// The texts that name the stops.
    private let from, to: String
    private var plan: Plan?
    private var forecast: JourneyForecast?
    private var departure, arrival: Timestamp?
    private var hasArrived = false

    /// What the timetable says.
    private struct Plan {
        let line, fromName, toName: String
        let departure, arrival: Timestamp
    }

    nonisolated init(from: String, to: String) {
        self.from = from
        self.to = to
    }

    /// Whether the vehicle has been at the last stop.
    var isComplete: Bool { hasArrived && departure != nil }

    /// Takes what a view says of the run.
    ///
    /// Times of stops that a feed leaves out once they are passed stay what they were last. The forecast is that of the last
    /// view before the vehicle left the first stop.
    ///
    /// - Throws: ``CommandFailure`` for a stop that the run does not have.
    func update(_ document: TripDocument, at now: Timestamp) throws {
        let (boarding, alighting) = try stops(of: document)
        let outlook = RideOutlook(document, from: boarding, to: alighting)
        plan = try Self.plan(outlook)
        departure = outlook.departure ?? departure
        if !hasArrived { arrival = outlook.arrival ?? arrival }
        guard let departure, let arrival else { return }
        if now <= departure {
            forecast = Self.forecast(
                outlook,
                seconds: max(0, Double(arrival.secondsSinceEpoch - departure.secondsSinceEpoch)))
        }
        hasArrived = hasArrived || now >= arrival
    }

    private func stops(
        of document: TripDocument
    ) throws -> (boarding: DepartureEntry, alighting: DepartureEntry) {
        let boarding = try Self.stop(from, "--from", in: document.stops[...])
        let later = document.stops.drop { $0.departure.stopOrder <= boarding.departure.stopOrder }
        return (boarding, try Self.stop(to, "--to", in: later))
    }

    /// The first stop of an identifier or a name, else the only one whose name has the text in it.
    private static func stop(
        _ text: String, _ option: String, in stops: ArraySlice<DepartureEntry>
    ) throws -> DepartureEntry {
        let folded = foldedName(text)
        if let exact = stops.first(where: {
            $0.stop.id == text || foldedName($0.stop.name) == folded
        }) {
            return exact
        }
        let similar =
            folded.isEmpty ? [] : stops.filter { foldedName($0.stop.name).contains(folded) }
        guard let first = similar.first, similar.count == 1 else {
            let names = (similar.isEmpty ? Array(stops) : Array(similar)).map(\.stop.name)
            throw CommandFailure(
                .usage,
                "\(option): '\(printable(text, maxLength: 60))' names "
                    + (similar.isEmpty ? "no stop" : "several stops")
                    + " there; take one of: "
                    + printable(names.joined(separator: ", "), maxLength: 400))
        }
        return first
    }

    private static func plan(_ outlook: RideOutlook) throws -> Plan {
        guard let departure = outlook.plannedDeparture, let arrival = outlook.plannedArrival else {
            throw CommandFailure(.data, "--keep: the timetable has no times of this run there")
        }
        return Plan(
            line: outlook.line, fromName: outlook.from, toName: outlook.to, departure: departure,
            arrival: arrival)
    }

    private static func forecast(_ outlook: RideOutlook, seconds: Double) -> JourneyForecast {
        let max = Double(Journey.maxSeconds)
        let delay = outlook.delay
        return JourneyForecast(
            way: outlook.line, expectedSeconds: min(max, seconds + (delay?.meanSeconds ?? 0)),
            p90Seconds: min(max, seconds + (delay?.p90Seconds ?? 0)),
            probabilityStopped: delay?.probabilityDelayed ?? 0, bridges: outlook.bridges,
            expectedDelaySeconds: delay?.meanSeconds ?? 0)
    }

    /// The ride as a journey.
    ///
    /// - Throws: ``CommandFailure`` before the vehicle has been at the last stop.
    func journey(now: Timestamp) throws -> Journey {
        guard let plan, let departure, let arrival else {
            throw CommandFailure(
                .data,
                "--keep: no feed had times of both stops, so how it went is not known; follow the run with --watch from before it leaves --from"
            )
        }
        guard hasArrived else {
            throw CommandFailure(
                .usage,
                "--keep: the vehicle is not at \(printable(plan.toName)) yet; --watch follows it until then"
            )
        }
        let ride = Favourite.Target.trip(from: plan.fromName, to: plan.toName, mode: .transit)
        var journey = Journey(
            planned: ride, leaving: plan.departure,
            minutes: plan.arrival.minutes(since: plan.departure), now: now)
        journey.add(line: plan.line)
        journey.actualDeparture = departure
        journey.actualArrival = max(arrival, departure)
        journey.forecast = forecast
        return journey
    }
}
