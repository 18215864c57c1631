// What finding places needs beside the roads, made when it is first asked for; a RoadNetwork has one.

/// Indices over a network's places, streets and roads; copies of a network share them.
final class PlaceLookups: Sendable {
    let grid = Lazily<RoadGrid>()
    let places = Lazily<PlaceIndex>()
    let streets = Lazily<StreetIndex>()
}
