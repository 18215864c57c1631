// From names, street corners or coordinates to a point of the network, and completions.
public import BridgecastCore
internal import BridgecastSupport

extension RoadNetwork {
    /// Finds the place that a text means.
    ///
    /// - Parameters:
    ///   - text: A name or an alias of a place, ignoring case, spaces and punctuation; the beginning or a word of one; a
    ///     street corner such as `15th Ave NW & NW Market St`; an address such as `2250 NW Market St`, of which the corner
    ///     is taken where its block begins; or `latitude,longitude`, which snaps to the nearest road for the mode. The
    ///     city and the state may follow a name.
    /// - Returns: The place; ``Anchor/note`` says what was assumed.
    /// - Throws: ``PlaceError``.
    public func anchor(_ text: String, for mode: Route.Mode) throws(PlaceError) -> Anchor {
        if let point = GeoPoint(text: text) { return try anchor(point, text, for: mode) }
        let wanted = withoutLocality(text)
        guard placeIndex.exact(wanted).isEmpty, let parts = StreetName.parts(of: wanted) else {
            return try namedAnchor(wanted, typed: text, for: mode)
        }
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

    /// The place of a name, or the corner of an address.
    private func namedAnchor(
        _ wanted: String, typed text: String, for mode: Route.Mode
    ) throws(PlaceError) -> Anchor {
        do throws(PlaceError) {
            let found = try namedPlace(wanted, typed: text)
            return try anchor(found.place, for: mode).noting(found.note)
        } catch {
            guard case .unknown = error, let address = StreetAddress(wanted) else { throw error }
            let found = try corner(of: address, printable(text, maxLength: 60))
            return try anchor(found.corner, text, for: mode).noting(found.note)
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
        guard (-90...90).contains(point.latitude) else {
            throw .notOnEarth(
                shown, problem: "the latitude \(plainNumber(point.latitude)) is not from -90 to 90")
        }
        guard (-180...180).contains(point.longitude) else {
            throw .notOnEarth(
                shown,
                problem: "the longitude \(plainNumber(point.longitude)) is not from -180 to 180")
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
    /// a word of one, and match one place only and no street; but a neighbourhood, a landmark or a park that is the only
    /// one of which the part is the first words wins over streets, and over what is named after it, such as its station.
    /// - Throws: ``PlaceError``.
    public func place(named text: String) throws(PlaceError) -> Place {
        try namedPlace(withoutLocality(text), typed: text).place
    }

    /// A text without "the" before a name, and the city, state, postal code and country after it; the whole text where a
    /// name of a place matches it.
    private func withoutLocality(_ text: String) -> String {
        guard text.utf8.count <= PlaceIndex.maxNameBytes else { return text }
        var rest = text
        while let shorter = PlaceText.shortened(rest) {
            let found = placeIndex.matches(rest)
            // "West Seattle WA" begins a name with "Water", but is West Seattle, whose city is part of the name.
            let isOnlyPart = !found.contains { $0.fit == .exact }
            let isName = placeIndex.matches(shorter).contains { $0.fit == .exact }
            guard found.isEmpty || isOnlyPart && isName else { break }
            rest = shorter
        }
        return rest
    }

    /// - Parameters:
    ///   - text: Without the city.
    ///   - typed: The whole text, for messages.
    /// - Returns: The place, and a note if the text may mean a street too.
    private func namedPlace(
        _ text: String, typed: String
    ) throws(PlaceError) -> (place: Place, note: String?) {
        let shown = printable(typed, maxLength: 60)
        let places = placeIndex.places
        let isPart = PlaceIndex.folded(text.prefix(9)).utf8.count >= PlaceIndex.minPartBytes
        let found = placeIndex.matches(text).filter { isPart || $0.fit == .exact }
        // Stops have the names of streets, and there are many of them.
        let named = found.filter { places[$0.place].kind != .stop }
        for group in [named, found] {
            let exact = merged(group.filter { $0.fit == .exact }.map(\.place))
            if !exact.isEmpty { return (try only(exact, shown), nil) }
        }
        if let place = outerPlace(text) {
            let metres = map.nodes.map { $0.geoPoint.metres(to: place.point) }.min() ?? 0
            throw .outOfArea(place.name, metres: Int(metres))
        }
        let wanted = best(named.isEmpty ? found : named)
        if let principal = principal(of: named, among: wanted) {
            return (principal, preference(of: principal, over: cornersOfStreet(text), shown))
        }
        let corners = named.isEmpty || isAlone(wanted, named) ? cornersOfStreet(text) : []
        if named.isEmpty, !corners.isEmpty { throw .street(shown, corners: corners) }
        if wanted.isEmpty {
            throw .unknown(shown, suggestions: placeIndex.similar(text).map { places[$0].name })
        }
        return (try only(wanted, shown, corners: corners), nil)
    }

    /// The only neighbourhood, landmark or park whose name begins with the words of a text; nil if another place that
    /// fits is not named after it.
    private func principal(of found: [PlaceIndex.Match], among wanted: [Int]) -> Place? {
        let places = placeIndex.places
        let begun = merged(
            found.filter { match in
                match.fit == .prefix && match.isWhole
                    && [.neighbourhood, .landmark, .park].contains(places[match.place].kind)
            }.map(\.place))
        guard begun.count == 1 else { return nil }
        let principal = places[begun[0]]
        return wanted.allSatisfy { places[$0].name.hasPrefix(principal.name) } ? principal : nil
    }

    private func preference(
        of place: Place, over corners: [String], _ shown: String
    ) -> String? {
        guard let corner = corners.first else { return nil }
        return
            "'\(shown)' is taken as \(place.name); for the street give a corner, such as \(corner)"
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

    /// Places that are named before corners.
    private static let maxNames = 4

    /// - Parameter corners: Corners of a street that the text may mean instead.
    private func only(
        _ wanted: [Int], _ shown: String, corners: [String] = []
    ) throws(PlaceError) -> Place {
        let names = wanted.map { placeIndex.places[$0].name }
        if wanted.count == 1, corners.isEmpty { return placeIndex.places[wanted[0]] }
        throw .ambiguous(
            shown, choices: names.prefix(Self.maxNames) + corners + names.dropFirst(Self.maxNames))
    }

    /// Places without duplicates: those of one name close together, such as stops on two sides of a street, are one.
    private func merged(_ found: [Int]) -> [Int] {
        let places = placeIndex.places
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
    /// Where nothing begins with the text, the places whose beginning is most similar, but no stops: "balard".
    /// - Complexity: O(places + streets).
    public func completions(of text: String, limit: Int) -> [Completion] {
        guard limit > 0, text.utf8.count <= PlaceIndex.maxNameBytes else { return [] }
        let places = placeIndex.places
        var found: [Completion] = []
        var names: Set<String> = []
        func add(_ completion: Completion) {
            guard found.count < limit, names.insert(PlaceIndex.folded(completion.name)).inserted
            else { return }
            found.append(completion)
        }
        let matches = placeIndex.matches(withoutLocality(text)).sorted {
            isLikelier($0, $1, places)
        }
        for match in matches where places[match.place].kind != .stop {
            add(completion(of: places[match.place]))
        }
        for corner in cornerCompletions(of: text, limit: limit) { add(corner) }
        for match in matches where places[match.place].kind == .stop {
            add(completion(of: places[match.place]))
        }
        guard found.isEmpty else { return found }
        for place in placeIndex.beginningSimilarly(to: text) { add(completion(of: places[place])) }
        return found
    }

    /// The named places, stops excluded, by kind and name; offered before anything is typed.
    package func namedPlaces(limit: Int) -> [Completion] {
        placeIndex.places.filter { $0.kind != .stop }
            .sorted { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }
            .prefix(limit).map(completion(of:))
    }

    private func isLikelier(
        _ a: PlaceIndex.Match, _ b: PlaceIndex.Match, _ places: [Place]
    ) -> Bool {
        let first = places[a.place]
        let second = places[b.place]
        return (
            a.fit.rawValue, first.kind.rawValue, first.name.utf8.count, first.name
        ) < (b.fit.rawValue, second.kind.rawValue, second.name.utf8.count, second.name)
    }

    private func completion(of place: Place) -> Completion {
        Completion(name: place.name, kind: .place(place.kind), point: place.point)
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
