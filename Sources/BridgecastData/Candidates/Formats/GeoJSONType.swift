// Types of GeoJSON; by them CandidateDocument and GeoJSONMember tell what they have.

/// Types of GeoJSON that can hold a route.
enum GeoJSONType: String {
    case featureCollection = "FeatureCollection"
    case feature = "Feature"
    case lineString = "LineString"
    case multiLineString = "MultiLineString"
}
