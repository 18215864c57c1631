// Checks a road network's JSON by every rule that it must keep, and turns names into indices; used by RoadNetwork.
import Foundation

/// Checks a file and turns names into indices.
struct RoadNetworkBuilder {
    let file: RoadNetworkFile
    private(set) var points: [GeoPoint] = []
    private(set) var nodeIDs: [String] = []
    private(set) var roads: [String] = []
    private(set) var classes: [RoadClass] = []
    private(set) var crossings: [Crossing] = []
    private(set) var places: [Place] = []
    private(set) var edges: [RoadNetwork.Edge] = []

    private var nodeNumbers: [String: Int] = [:]
    private var classNumbers: [String: Int] = [:]

    /// Speeds of those who do not drive, km/h.
    private static let trailBikeKmh = 18.0, bikeKmh = 16.0, walkKmh = 4.8
    /// What no road in a city is faster than, km/h.
    private static let fastestKmh = 130.0
    /// Longest piece of road, metres.
    private static let longestPiece = 25_000.0

    init(_ json: Data) throws(RoadNetworkError) {
        do {
            file = try JSONDecoder().decode(RoadNetworkFile.self, from: json)
        } catch {
            throw .format(DocumentProblem(decoding: error))
        }
        try addNodes()
        try addClasses()
        for (number, road) in file.roads.enumerated() { try add(road, "roads[\(number)]") }
        try addPlaces()
        guard !file.roads.isEmpty, !file.places.isEmpty else {
            throw .content(
                place: file.roads.isEmpty ? "roads" : "places", problem: "there are none")
        }
    }

    private mutating func addNodes() throws(RoadNetworkError) {
        for (id, pair) in file.nodes.sorted(by: { $0.key < $1.key }) {
            guard pair.count == 2 else {
                throw .content(place: "nodes.\(id)", problem: "needs [latitude, longitude]")
            }
            let point = GeoPoint(latitude: pair[0], longitude: pair[1])
            guard (-90...90).contains(pair[0]), (-180...180).contains(pair[1]) else {
                throw .content(place: "nodes.\(id)", problem: "\(pair) is no place on earth")
            }
            nodeNumbers[id] = points.count
            points.append(point)
            nodeIDs.append(id)
        }
    }

    private mutating func addClasses() throws(RoadNetworkError) {
        for (name, entry) in file.classes.sorted(by: { $0.key < $1.key }) {
            let place = "classes.\(name)"
            let modes = Set(entry.modes.compactMap(Route.Mode.init))
            guard modes.count == entry.modes.count, !modes.isEmpty else {
                throw .content(place: place, problem: "modes must be of car, bike and walk")
            }
            let factors = [entry.weekday, entry.weekend].map {
                $0 ?? Array(repeating: 1, count: 24)
            }
            if modes.contains(.car) {
                guard let kmh = entry.kmh, kmh > 0, kmh <= Self.fastestKmh else {
                    throw .content(
                        place: place, problem: "cars need a speed of up to \(Self.fastestKmh) km/h")
                }
                for row in factors {
                    guard row.count == 24, row.allSatisfy({ $0 >= 0.05 && $0 <= 1.5 }) else {
                        throw .content(place: place, problem: "needs 24 factors from 0.05 to 1.5")
                    }
                    guard row.allSatisfy({ $0 * kmh <= Self.fastestKmh }) else {
                        throw .content(
                            place: place, problem: "is faster than \(Self.fastestKmh) km/h")
                    }
                }
            }
            let bike =
                entry.walked == true
                ? Self.walkKmh : entry.kmh == nil ? Self.trailBikeKmh : Self.bikeKmh
            func speed(_ mode: Route.Mode, _ kmh: Double?) -> Double? {
                modes.contains(mode) ? kmh.map { $0 * 1000 / 60 } : nil
            }
            classNumbers[name] = classes.count
            classes.append(
                RoadClass(
                    name: name, carMetresPerMinute: speed(.car, entry.kmh),
                    bikeMetresPerMinute: speed(.bike, bike),
                    walkMetresPerMinute: speed(.walk, Self.walkKmh), factors: factors,
                    bestFactor: factors.joined().max() ?? 1))
        }
    }

    private mutating func add(
        _ road: RoadNetworkFile.Road, _ place: String
    ) throws(RoadNetworkError) {
        guard let roadClass = classNumbers[road.class] else {
            throw .content(place: place, problem: "class '\(road.class)' is not defined")
        }
        let detour = road.detour ?? 1
        guard (1...3).contains(detour) else {
            throw .content(place: place, problem: "detour \(detour) does not lie in 1...3")
        }
        guard road.nodes.count >= 2 else {
            throw .content(place: place, problem: "needs at least two nodes")
        }
        let crossing = try crossing(of: road, place)
        let number = roads.firstIndex(of: road.name) ?? roads.count
        if number == roads.count { roads.append(road.name) }
        for (a, b) in zip(road.nodes, road.nodes.dropFirst()) {
            guard let from = nodeNumbers[a], let to = nodeNumbers[b] else {
                throw .content(place: place, problem: "unknown node in \(a), \(b)")
            }
            let metres = points[from].metres(to: points[to]) * detour
            guard metres > 0, metres <= Self.longestPiece else {
                throw .content(place: place, problem: "\(a) to \(b) is \(Int(metres)) m long")
            }
            try checkFirstInFirstOut(metres, classes[roadClass], "\(place), \(a) to \(b)")
            for (start, end) in road.oneWay == true ? [(from, to)] : [(from, to), (to, from)] {
                edges.append(
                    RoadNetwork.Edge(
                        from: start, to: end, metres: metres, roadClass: roadClass, road: number,
                        crossing: crossing))
            }
        }
    }

    /// Refuses a piece on which whoever waits would arrive earlier.
    ///
    /// Between two full hours speed changes linearly, so the time on the edge falls fastest at the end of
    /// the steepest rise: by metres / speed^2 x slope. It must fall by less than the time that passes.
    private func checkFirstInFirstOut(
        _ metres: Double, _ roadClass: RoadClass, _ place: String
    ) throws(RoadNetworkError) {
        guard let speed = roadClass.carMetresPerMinute else { return }
        for (day, row) in roadClass.factors.enumerated() {
            for hour in 0..<24 {
                // Midnight leads to a day of either kind.
                let next = hour == 23 ? roadClass.factors.map { $0[0] } : [row[hour + 1]]
                for factor in next {
                    let slope = (factor - row[hour]) / 60
                    let slowest = min(row[hour], factor)
                    guard metres * slope < speed * slowest * slowest else {
                        throw .content(
                            place: place,
                            problem:
                                "whoever waits from \(hour):00 (day type \(day)) would arrive earlier; "
                                + "divide the road or smooth the factors")
                    }
                }
            }
        }
    }

    private mutating func crossing(
        of road: RoadNetworkFile.Road, _ place: String
    ) throws(RoadNetworkError) -> Int? {
        let crossing: Crossing
        switch (road.bridge, road.crossing) {
        case (nil, nil): return nil
        case (let bridge?, nil):
            guard let index = BridgeCatalogue.index(named: bridge) else {
                throw .content(place: place, problem: "'\(bridge)' is no drawbridge")
            }
            crossing = Crossing(name: BridgeCatalogue[index].spokenName, bridge: index)
        case (nil, let name?): crossing = Crossing(name: name, bridge: nil)
        case (_?, _?):
            throw .content(place: place, problem: "is either a drawbridge or a crossing, not both")
        }
        if let known = crossings.firstIndex(of: crossing) { return known }
        crossings.append(crossing)
        return crossings.count - 1
    }

    private mutating func addPlaces() throws(RoadNetworkError) {
        for (number, entry) in file.places.enumerated() {
            guard let node = nodeNumbers[entry.node] else {
                throw .content(
                    place: "places[\(number)]",
                    problem: "'\(entry.name)' is at unknown node \(entry.node)")
            }
            places.append(Place(name: entry.name, aliases: entry.aliases ?? [], node: node))
        }
    }
}
