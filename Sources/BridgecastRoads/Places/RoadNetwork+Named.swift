// Which place a name means, spelled in full or in part, and when to ask back.
internal import BridgecastCore

extension RoadNetwork {
    /// The place with a name; see ``anchor(_:for:)-(String,_)``.
    ///
    /// A name in full wins, also that of a place outside, which is an error that says so. A part must begin a name, or
    /// else a word of one, and mean one place only and no street.
    /// - Throws: ``PlaceError``.
    public func place(named text: String) throws(PlaceError) -> Place {
        let shown = printable(text, most: 60)
        let isPart = PlaceIndex.folded(text.prefix(9)).utf8.count >= PlaceIndex.shortestPart
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

    /// The place of exactly a name that lies outside.
    private func outerPlace(_ text: String) -> Place? {
        let wanted = PlaceIndex.folded(text)
        return outerPlaces.first { place in
            ([place.name] + place.aliases).contains { PlaceIndex.folded($0) == wanted }
        }
    }

    /// Those that fit best; if that is only one, those that have the text as a word as well.
    private func best(_ found: [PlaceIndex.Match]) -> [Int] {
        let least = found.map(\.fit.rawValue).min()
        let best = merged(found.filter { $0.fit.rawValue == least }.map(\.place))
        guard best.count == 1 else { return best }
        return merged(best + found.filter { $0.isWhole && $0.place != best[0] }.map(\.place))
    }

    /// Whether one place fits better than all others.
    private func isAlone(_ wanted: [Int], _ found: [PlaceIndex.Match]) -> Bool {
        let fits = found.filter { wanted.contains($0.place) }.map(\.fit.rawValue)
        return fits.count { $0 == fits.min() } == 1
    }

    /// - Parameter corners: Of a street that may be meant as well.
    private func only(
        _ wanted: [Int], _ shown: String, corners: [String] = []
    ) throws(PlaceError) -> Place {
        if wanted.count == 1, corners.isEmpty { return places[wanted[0]] }
        let names = wanted.prefix(6 - min(corners.count, 2)).map { places[$0].name }
        throw .ambiguous(shown, choices: names + corners.prefix(2))
    }

    /// Places of one name close together are one, as the two sides of a street are for a stop.
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
