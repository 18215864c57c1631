// What a text may become that somebody is typing.
internal import BridgecastCore

extension RoadNetwork {
    /// Places of which a word begins with a text, and street corners, the likeliest first.
    ///
    /// Before `&` the text is the name of a street, behind it the beginning of a name of a street that meets it.
    /// - Complexity: O(places + streets).
    public func completions(of text: String, limit: Int) -> [Completion] {
        guard limit > 0, text.utf8.count <= PlaceIndex.longestName else { return [] }
        var found: [Completion] = []
        var names: Set<String> = []
        func add(_ completion: Completion) {
            guard found.count < limit, names.insert(PlaceIndex.folded(completion.name)).inserted
            else { return }
            found.append(completion)
        }
        let matches = placeIndex.matches(text).sorted(by: isLikelier)
        for match in matches where places[match.place].kind != .stop {
            add(completion(match.place))
        }
        for corner in cornerCompletions(of: text, limit: limit) { add(corner) }
        for match in matches where places[match.place].kind == .stop {
            add(completion(match.place))
        }
        return found
    }

    /// The places that people name, stops aside, by kind and name: what there is before anything is typed.
    package func namedPlaces(limit: Int) -> [Completion] {
        places.indices.filter { places[$0].kind != .stop }.sorted {
            (places[$0].kind.rawValue, places[$0].name) < (
                places[$1].kind.rawValue, places[$1].name
            )
        }.prefix(limit).map(completion)
    }

    private func isLikelier(
        _ a: PlaceIndex.Match, _ b: PlaceIndex.Match
    ) -> Bool {
        let (first, second) = (places[a.place], places[b.place])
        return (
            a.fit.rawValue, first.kind.rawValue, first.name.utf8.count, first.name
        ) < (b.fit.rawValue, second.kind.rawValue, second.name.utf8.count, second.name)
    }

    private func completion(_ place: Int) -> Completion {
        Completion(
            name: places[place].name, kind: .place(places[place].kind), point: places[place].point)
    }

    /// The first of each kind, the second of each, and so on: Broad St does not hide Broadway.
    private func inTurns<Element, Kind: Hashable>(
        _ elements: [Element], _ kind: (Element) -> Kind
    ) -> [Element] {
        var counts: [Kind: Int] = [:]
        let turns = elements.map { element in
            counts[kind(element), default: 0] += 1
            return counts[kind(element)] ?? 0
        }
        return elements.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }.map { elements[$0] }
    }

    /// Corners of the streets that a text begins with.
    private func cornerCompletions(of text: String, limit: Int) -> [Completion] {
        let index = streetIndex
        let first: [Int]
        var second: [Int: Int]?
        if let parts = StreetName.parts(of: text) {
            let streets = index.streets(parts.0)
            first = streets.called.isEmpty ? streets.like : streets.called
            if !StreetName(parts.1).words.isEmpty {
                second = Dictionary(
                    uniqueKeysWithValues: index.beginning(with: parts.1).map { ($0.street, $0.fit) }
                )
            }
        } else {
            // Streets alone have too many corners: only of those that fit best.
            let fits = index.beginning(with: text)
            let best = fits.map(\.fit).min()
            first = fits.filter { $0.fit == best }.map(\.street)
                .sorted { (index.rank($0), $0) < (index.rank($1), $1) }.prefix(8).map(\.self)
        }
        let others = second.map { Array($0.keys) } ?? index.streets
        var seen: Set<[Int]> = []
        let corners = corners(of: first, with: others).filter { corner in
            let (a, b) = corner.streets
            return !index.names[a].continues(index.names[b])
                && seen.insert([min(a, b), max(a, b)]).inserted
        }.map { corner in
            (corner: corner, fit: second?[corner.streets.1] ?? 0, size: size(of: corner))
        }
        var order = corners.sorted {
            ($0.fit, $0.size.0, $0.size.1, $0.corner.streets.0, $0.corner.streets.1)
                < ($1.fit, $1.size.0, $1.size.1, $1.corner.streets.0, $1.corner.streets.1)
        }
        if second == nil { order = inTurns(order) { index.names[$0.corner.streets.0].core } }
        return order.prefix(limit).map {
            Completion(
                name: name(of: $0.corner), kind: .corner,
                point: map.nodes[$0.corner.nodes[0]].geoPoint)
        }
    }
}
