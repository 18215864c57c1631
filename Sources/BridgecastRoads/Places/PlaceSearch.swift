// From names, street corners or coordinates to a point of the network, and completions.
public import BridgecastCore
internal import BridgecastSupport

extension RoadNetwork {
    /// Finds the place that a text means.
    ///
    /// - Parameters:
    ///   - text: A name or an alias of a place, ignoring case, spaces and punctuation; the beginning or a word of one; a
    ///     street corner such as `15th Ave NW & NW Market St`; or `latitude,longitude`, which snaps to the nearest road
    ///     for the mode.
    /// - Throws: ``PlaceError``.
    public func anchor(_ text: String, for mode: Route.Mode) throws(PlaceError) -> Anchor {
        if let point = GeoPoint(text: text) { return try anchor(point, text, for: mode) }
        guard text.utf8.count <= PlaceIndex.maxNameBytes, placeIndex.exact(text).isEmpty,
            let parts = StreetName.parts(of: text)
        else { return try anchor(try place(named: text), for: mode) }
        do throws(PlaceError) {
            return try anchor(try corner(text, parts), text, for: mode)
        } catch {
            // Names of places may contain words such as "and".
            guard case .unknownStreet = error, let place = try? place(named: text) else {
                throw error
            }
            return try anchor(place, for: mode)
        }
    }

    /// Snaps a point to the nearest road for a mode.
    ///
    /// - Throws: ``PlaceError``.
    public func anchor(_ point: GeoPoint, for mode: Route.Mode) throws(PlaceError) -> Anchor {
        try anchor(point, "\(point.latitude),\(point.longitude)", for: mode)
    }

    /// Snaps a place to the nearest roads for a mode.
    ///
    /// - Throws: ``PlaceError``.
    public func anchor(_ place: Place, for mode: Route.Mode) throws(PlaceError) -> Anchor {
        let found = try spots(at: place.point, place.name, for: mode, isPlace: true)
        return Anchor(place.name, at: found.point, on: self, spots: found.spots)
    }

    /// The coordinates of a place.
    public func point(of place: Place) -> GeoPoint { place.point }

    private func anchor(
        _ point: GeoPoint, _ text: String, for mode: Route.Mode
    ) throws(PlaceError) -> Anchor {
        let shown = printable(text, maxLength: 60)
        let swapped = GeoPoint(latitude: point.longitude, longitude: point.latitude)
        if grid.isNear(swapped), !grid.isNear(point) { throw .swapped(shown) }
        guard (-90...90).contains(point.latitude), (-180...180).contains(point.longitude) else {
            throw .outOfArea(shown, metres: 20_000_000)
        }
        let found = try spots(at: point, shown, for: mode, isPlace: false)
        return Anchor(shown, at: found.point, on: self, spots: found.spots)
    }
}

// MARK: - Names

extension RoadNetwork {
    /// The place with a name; see ``anchor(_:for:)-(String,_)``.
    ///
    /// A full name wins, also that of a place outside of the network, which is an error. A part must begin a name, or else
    /// a word of one, and match one place only and no street.
    /// - Throws: ``PlaceError``.
    public func place(named text: String) throws(PlaceError) -> Place {
        let shown = printable(text, maxLength: 60)
        let isPart = PlaceIndex.folded(text.prefix(9)).utf8.count >= PlaceIndex.minPartBytes
        let found = placeIndex.matches(text).filter { isPart || $0.fit == .exact }
        // Stops have the names of streets, and there are many of them.
        let named = found.filter { places[$0.place].kind != .stop }
        for group in [named, found] {
            let exact = merged(group.filter { $0.fit == .exact }.map(\.place))
            if !exact.isEmpty { return try only(exact, shown) }
        }
        if let place = outerPlace(text) {
            let metres = map.nodes.map { $0.geoPoint.metres(to: place.point) }.min() ?? 0
            throw .outOfArea(place.name, metres: Int(metres))
        }
        let wanted = best(named.isEmpty ? found : named)
        let corners = named.isEmpty || isAlone(wanted, named) ? cornersOfStreet(text) : []
        if named.isEmpty, !corners.isEmpty { throw .street(shown, corners: corners) }
        if wanted.isEmpty {
            throw .unknown(shown, suggestions: placeIndex.similar(text).map { places[$0].name })
        }
        return try only(wanted, shown, corners: corners)
    }

    private func outerPlace(_ text: String) -> Place? {
        let wanted = PlaceIndex.folded(text)
        return outerPlaces.first { place in
            ([place.name] + place.aliases).contains { PlaceIndex.folded($0) == wanted }
        }
    }

    /// The places that fit best; if that is only one, also those with the text as a whole word.
    private func best(_ found: [PlaceIndex.Match]) -> [Int] {
        let bestFit = found.map(\.fit.rawValue).min()
        let best = merged(found.filter { $0.fit.rawValue == bestFit }.map(\.place))
        guard best.count == 1 else { return best }
        return merged(best + found.filter { $0.isWhole && $0.place != best[0] }.map(\.place))
    }

    /// Whether one place fits better than all others.
    private func isAlone(_ wanted: [Int], _ found: [PlaceIndex.Match]) -> Bool {
        let fits = found.filter { wanted.contains($0.place) }.map(\.fit.rawValue)
        return fits.count { $0 == fits.min() } == 1
    }

    /// - Parameter corners: Corners of a street that the text may mean instead.
    private func only(
        _ wanted: [Int], _ shown: String, corners: [String] = []
    ) throws(PlaceError) -> Place {
        if wanted.count == 1, corners.isEmpty { return places[wanted[0]] }
        let names = wanted.prefix(6 - min(corners.count, 2)).map { places[$0].name }
        throw .ambiguous(shown, choices: names + corners.prefix(2))
    }

    /// Places without duplicates: those of one name close together, such as stops on two sides of a street, are one.
    private func merged(_ found: [Int]) -> [Int] {
        var kept: [Int] = []
        for place in found
        where !kept.contains(where: {
            places[$0].name == places[place].name
                && places[$0].point.metres(to: places[place].point) < Self.cornerMetres
        }) { kept.append(place) }
        return kept
    }
}

// MARK: - Completions

extension RoadNetwork {
    /// Places of which a word begins with a text, and street corners, the likeliest first.
    ///
    /// Before `&` the text is the name of a street, after it the beginning of the name of a street that meets it.
    /// - Complexity: O(places + streets).
    public func completions(of text: String, limit: Int) -> [Completion] {
        guard limit > 0, text.utf8.count <= PlaceIndex.maxNameBytes else { return [] }
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

    /// The named places, stops excluded, by kind and name; offered before anything is typed.
    package func namedPlaces(limit: Int) -> [Completion] {
        places.indices.filter { places[$0].kind != .stop }.sorted {
            (places[$0].kind.rawValue, places[$0].name) < (
                places[$1].kind.rawValue, places[$1].name
            )
        }.prefix(limit).map(completion)
    }

    private func isLikelier(_ a: PlaceIndex.Match, _ b: PlaceIndex.Match) -> Bool {
        let first = places[a.place]
        let second = places[b.place]
        return (
            a.fit.rawValue, first.kind.rawValue, first.name.utf8.count, first.name
        ) < (b.fit.rawValue, second.kind.rawValue, second.name.utf8.count, second.name)
    }

    private func completion(_ place: Int) -> Completion {
        Completion(
            name: places[place].name, kind: .place(places[place].kind), point: places[place].point)
    }

    /// The first element of each kind, the second of each, and so on: so Broad St does not hide Broadway.
    private func interleaved<Element, Kind: Hashable>(
        _ elements: [Element], by kind: (Element) -> Kind
    ) -> [Element] {
        var counts: [Kind: Int] = [:]
        let turns = elements.map { element in
            counts[kind(element), default: 0] += 1
            return counts[kind(element)] ?? 0
        }
        return elements.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }.map { elements[$0] }
    }

    private func cornerCompletions(of text: String, limit: Int) -> [Completion] {
        let index = streetIndex
        let first: [Int]
        var second: [Int: Int]?
        if let parts = StreetName.parts(of: text) {
            let streets = index.streets(parts.0)
            first = streets.exact.isEmpty ? streets.partial : streets.exact
            if !StreetName(parts.1).words.isEmpty {
                second = Dictionary(
                    uniqueKeysWithValues: index.beginning(with: parts.1).map { ($0.street, $0.fit) }
                )
            }
        } else {
            // A single street name has too many corners: only those of the streets that fit best.
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
        if second == nil { order = interleaved(order) { index.names[$0.corner.streets.0].core } }
        return order.prefix(limit).map {
            Completion(
                name: name(of: $0.corner), kind: .corner,
                point: map.nodes[$0.corner.nodes[0]].geoPoint)
        }
    }
}
