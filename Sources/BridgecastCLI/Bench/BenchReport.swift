// What `bench` can measure, and all that a run of it found.
import BridgecastBench

/// All that a run of `bench` found.
struct BenchReport: Encodable {
    let machine: Machine
    let onnxruntime: String?
    var networks: [BenchResult] = []
    var ratios: [BenchRatio] = []
    var pipeline: [PartResult] = []
    var load: LoadBench.Result?
    var onnxruntimeLoad: [PartResult] = []
    var records: RecordBench.Result?
    var live: [LiveBench.Result] = []
    var roads: RoadBench.Result?
    var overload: [OverloadResult] = []
}
