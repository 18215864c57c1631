// What `bench` can measure.

/// What `bench` can measure.
enum BenchPart: String, CaseIterable {
    case network, pipeline, load, live, roads, overload, records
}
