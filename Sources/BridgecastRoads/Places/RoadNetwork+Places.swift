// From what people type to a point of the network: names, spelled roughly, street corners, or coordinates.
// Belongs here: finding places, corners and roads near a point, and completing what is typed; not: ways between them.
public import BridgecastCore
private import Foundation

extension RoadNetwork {
    /// Finds the place that a text means.
    ///
    /// - Parameters:
    ///   - text: A name or an alias of a place, case, spaces and punctuation aside; the beginning or a word of one; a
    ///     street corner such as `15th Ave NW & NW Market St`; or `latitude,longitude`, which is led to the nearest
    ///     road for the mode.
    /// - Throws: ``PlaceError``.
    public func anchor(_ text: String, for mode: Route.Mode) throws(PlaceError) -> Anchor {
        if let point = Self.coordinates(text) { return try anchor(point, text, mode) }
        guard text.utf8.count <= PlaceIndex.longestName, placeIndex.exact(text).isEmpty,
            let parts = StreetName.parts(of: text)
        else { return try anchor(try place(named: text), for: mode) }
        do throws(PlaceError) {
            return try anchor(try corner(text, parts), text, for: mode)
        } catch {
            // Names of places hold words such as "and" too.
            guard case .unknownStreet = error, let place = try? place(named: text) else {
                throw error
            }
            return try anchor(place, for: mode)
        }
    }

    /// Leads a point to the nearest road for a mode.
    ///
    /// - Throws: ``PlaceError``.
    public func anchor(_ point: GeoPoint, for mode: Route.Mode) throws(PlaceError) -> Anchor {
        try anchor(point, "\(point.latitude),\(point.longitude)", mode)
    }

    /// Leads a place to the nearest road for a mode.
    ///
    /// - Throws: ``PlaceError``.
    public func anchor(_ place: Place, for mode: Route.Mode) throws(PlaceError) -> Anchor {
        let found = try spots(at: place.point, place.name, for: mode, isPlace: true)
        return Anchor(place.name, at: found.point, on: self, spots: found.spots)
    }

    /// The point of a place.
    public func point(of place: Place) -> GeoPoint { place.point }

    /// `latitude,longitude`, if a text is two numbers.
    static func coordinates(_ text: String) -> GeoPoint? {
        let parts = text.split(separator: ",", maxSplits: 2).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            latitude.isFinite, longitude.isFinite
        else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    private func anchor(
        _ point: GeoPoint, _ text: String, _ mode: Route.Mode
    ) throws(PlaceError) -> Anchor {
        let shown = printable(text, most: 60)
        let flipped = GeoPoint(latitude: point.longitude, longitude: point.latitude)
        if grid.isNear(flipped), !grid.isNear(point) { throw .swapped(shown) }
        guard (-90...90).contains(point.latitude), (-180...180).contains(point.longitude) else {
            throw .outOfArea(shown, metres: 20_000_000)
        }
        let found = try spots(at: point, shown, for: mode, isPlace: false)
        return Anchor(shown, at: found.point, on: self, spots: found.spots)
    }
}

extension RoadNetwork {
    /// Roads by where they are.
    var grid: RoadGrid { lookups.grid.value { RoadGrid(map) } }
    /// Places by name.
    var placeIndex: PlaceIndex { lookups.places.value { PlaceIndex(places) } }
    /// Streets by name.
    var streetIndex: StreetIndex { lookups.streets.value { StreetIndex(map) } }
}
