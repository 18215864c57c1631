// The peer of the benchmarks: onnxruntime through its C API, loaded at run time from the library in its Python package.
internal import BridgecastEngine
public import BridgecastSupport
private import Foundation
private import Glibc

/// onnxruntime's function table.
///
/// The table only ever grows at its end, so positions are stable (onnxruntime_c_api.h: "new functions are
/// added at the end"); those used here are checked by comparing results before anything is timed.
@safe final class OnnxRuntime {
    /// Positions in OrtApi, version 17 and later.
    enum Function: Int {
        case errorMessage = 2
        case createEnvironment = 3
        case createSession = 7
        case createSessionOptions = 10
        case setOptimisationLevel = 23
        case setIntraOpThreads = 24
        case setInterOpThreads = 25
        case createTensor = 49
        case createCPUMemoryInfo = 69
        case releaseSession = 95
        case releaseValue = 96
        case releaseSessionOptions = 100
        case runWithBinding = 133
        case createBinding = 134
        case releaseBinding = 135
        case bindInput = 136
        case bindOutput = 137
    }

    typealias Status = UnsafeMutableRawPointer?
    typealias Handle = UnsafeMutableRawPointer

    /// Its version, such as 1.31.1.
    let version: String
    private let table: UnsafeRawPointer
    private(set) var environment: Handle?
    private(set) var memoryInfo: Handle?

    init(library path: String) throws(OnnxRuntimeError) {
        guard let library = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL),
            let symbol = unsafe dlsym(library, "OrtGetApiBase")
        else {
            let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "no such symbol"
            throw OnnxRuntimeError(description: "\(path): cannot load onnxruntime: \(reason)")
        }
        typealias GetBase = @convention(c) () -> UnsafePointer<UnsafeRawPointer>?
        typealias GetAPI = @convention(c) (UInt32) -> UnsafeRawPointer?
        typealias GetVersion = @convention(c) () -> UnsafePointer<CChar>?
        let getBase = unsafe unsafeBitCast(symbol, to: GetBase.self)
        guard let base = unsafe getBase(),
            let table = unsafe unsafeBitCast(base[0], to: GetAPI.self)(17)
        else { throw OnnxRuntimeError(description: "\(path): has no API of version 17") }
        unsafe self.table = table
        let name = unsafe unsafeBitCast(base[1], to: GetVersion.self)()
        version = unsafe name.map { unsafe String(cString: $0) } ?? "unknown"
        typealias Create =
            @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutablePointer<Handle?>) -> Status
        // 3: errors only.
        unsafe try check(
            "CreateEnv",
            unsafe function(.createEnvironment, as: Create.self)(3, "bench", &environment))
        typealias CreateInfo =
            @convention(c) (Int32, Int32, UnsafeMutablePointer<Handle?>) -> Status
        // 0, 0: device allocator, default memory.
        unsafe try check(
            "CreateCpuMemoryInfo",
            unsafe function(.createCPUMemoryInfo, as: CreateInfo.self)(0, 0, &memoryInfo))
    }

    func function<Signature>(_ function: Function, as type: Signature.Type) -> Signature {
        unsafe table.load(
            fromByteOffset: function.rawValue * MemoryLayout<UnsafeRawPointer>.stride, as: type)
    }

    func check(_ what: String, _ status: Status) throws(OnnxRuntimeError) {
        guard let status = unsafe status else { return }
        typealias Message = @convention(c) (UnsafeRawPointer) -> UnsafePointer<CChar>
        let text = unsafe String(cString: function(.errorMessage, as: Message.self)(status))
        throw OnnxRuntimeError(description: "onnxruntime, \(what): \(text)")
    }

    func release(_ handle: Handle?, by function: Function) {
        guard let handle = unsafe handle else { return }
        typealias Release = @convention(c) (Handle) -> Void
        unsafe self.function(function, as: Release.self)(handle)
    }
}

/// A model in an onnxruntime session, with all graph optimisations.
@safe final class OnnxSession {
    let runtime: OnnxRuntime
    private(set) var handle: OnnxRuntime.Handle?

    /// - Parameter threads: Within an operator.
    init(_ runtime: OnnxRuntime, model path: String, threads: Int) throws(OnnxRuntimeError) {
        self.runtime = runtime
        var options: OnnxRuntime.Handle?
        typealias CreateOptions =
            @convention(c) (UnsafeMutablePointer<OnnxRuntime.Handle?>) -> OnnxRuntime.Status
        typealias SetNumber = @convention(c) (OnnxRuntime.Handle?, Int32) -> OnnxRuntime.Status
        typealias Create =
            @convention(c) (
                OnnxRuntime.Handle?, UnsafePointer<CChar>, OnnxRuntime.Handle?,
                UnsafeMutablePointer<OnnxRuntime.Handle?>
            ) -> OnnxRuntime.Status
        unsafe try runtime.check(
            "options",
            unsafe runtime.function(.createSessionOptions, as: CreateOptions.self)(&options))
        for (setting, value) in [
            (OnnxRuntime.Function.setOptimisationLevel, Int32(99)),
            (.setIntraOpThreads, Int32(threads)), (.setInterOpThreads, 1),
        ] {
            unsafe try runtime.check(
                "options", runtime.function(setting, as: SetNumber.self)(options, value))
        }
        unsafe try runtime.check(
            path,
            unsafe runtime.function(.createSession, as: Create.self)(
                runtime.environment, path, options, &handle))
        unsafe runtime.release(options, by: .releaseSessionOptions)
    }

    deinit { unsafe runtime.release(handle, by: .releaseSession) }
}

/// A session with bound inputs and outputs, on batches of `chunk` rows out of `rows`.
@safe final class OnnxBatch {
    private let session: OnnxSession
    private var bindings: [OnnxRuntime.Handle?] = unsafe []
    private var values: [OnnxRuntime.Handle?] = unsafe []
    private let memory: UnsafeMutablePointer<Float>
    private let outputStart: Int
    private let outputCount: Int
    private typealias Run =
        @convention(c) (OnnxRuntime.Handle?, UnsafeRawPointer?, OnnxRuntime.Handle?) ->
        OnnxRuntime.Status
    private let runWithBinding: Run

    /// - Parameters:
    ///   - prior: Empty for networks that give logits.
    ///   - chunk: Rows of one call, as many as `rows` or fewer.
    init(
        _ session: OnnxSession, features: [Float], prior: [Float], rows: Int, outputs: Int,
        chunk: Int
    ) throws(OnnxRuntimeError) {
        self.session = session
        unsafe runWithBinding = session.runtime.function(.runWithBinding, as: Run.self)
        outputStart = features.count + prior.count
        outputCount = rows * outputs
        unsafe memory = .allocate(capacity: outputStart + outputCount)
        unsafe memory.initialize(repeating: 0, count: outputStart + outputCount)
        for (index, value) in (features + prior).enumerated() { unsafe memory[index] = value }
        let inputs = features.count / rows
        for start in stride(from: 0, to: rows, by: chunk) {
            let count = min(chunk, rows - start)
            let binding = unsafe try makeBinding()
            unsafe try bind(
                binding, "features", by: .bindInput, at: start * inputs, shape: [count, inputs])
            if !prior.isEmpty {
                unsafe try bind(
                    binding, "prior_logits", by: .bindInput,
                    at: features.count + start * outputs, shape: [count, outputs])
            }
            unsafe try bind(
                binding, prior.isEmpty ? "logits" : "probabilities", by: .bindOutput,
                at: outputStart + start * outputs, shape: [count, outputs])
        }
    }

    deinit {
        for index in unsafe bindings.indices {
            unsafe session.runtime.release(bindings[index], by: .releaseBinding)
        }
        for index in unsafe values.indices {
            unsafe session.runtime.release(values[index], by: .releaseValue)
        }
        unsafe memory.deallocate()
    }

    /// Runs all chunks; a failure ends the program.
    @inline(__always) func run() {
        for index in unsafe bindings.indices {
            let status = unsafe runWithBinding(session.handle, nil, bindings[index])
            precondition(unsafe status == nil, "onnxruntime refused a batch that it had run before")
        }
    }

    var output: [Float] {
        (0..<outputCount).map { unsafe memory[outputStart + $0] }
    }

    private func makeBinding() throws(OnnxRuntimeError) -> OnnxRuntime.Handle? {
        typealias Create =
            @convention(c) (OnnxRuntime.Handle?, UnsafeMutablePointer<OnnxRuntime.Handle?>) ->
            OnnxRuntime.Status
        var binding: OnnxRuntime.Handle?
        unsafe try session.runtime.check(
            "binding",
            unsafe session.runtime.function(.createBinding, as: Create.self)(
                session.handle, &binding))
        unsafe bindings.append(binding)
        return unsafe binding
    }

    private func bind(
        _ binding: OnnxRuntime.Handle?, _ name: String, by function: OnnxRuntime.Function,
        at offset: Int, shape: [Int]
    ) throws(OnnxRuntimeError) {
        typealias Create =
            @convention(c) (
                OnnxRuntime.Handle?, UnsafeMutableRawPointer, Int, UnsafePointer<Int64>, Int, Int32,
                UnsafeMutablePointer<OnnxRuntime.Handle?>
            ) -> OnnxRuntime.Status
        typealias Bind =
            @convention(c) (OnnxRuntime.Handle?, UnsafePointer<CChar>, OnnxRuntime.Handle?) ->
            OnnxRuntime.Status
        var value: OnnxRuntime.Handle?
        let runtime = session.runtime
        let bytes = shape.reduce(4, *)
        // 1: float.
        unsafe try runtime.check(
            "tensor \(name)",
            unsafe runtime.function(.createTensor, as: Create.self)(
                runtime.memoryInfo, memory + offset, bytes, shape.map(Int64.init), shape.count, 1,
                &value))
        unsafe values.append(value)
        unsafe try runtime.check(
            "binding \(name)",
            unsafe runtime.function(function, as: Bind.self)(binding, name, value))
    }
}

/// A form of a network in onnxruntime; its name is part of the model file's.
enum OnnxForm: String, CaseIterable {
    case fp32
    /// u8 weights with zero point 128: exact on every CPU.
    case int8u8 = "int8-u8"
    /// s8 weights: faster, but onnxruntime's kernels for them saturate on x86 CPUs without VNNI.
    case int8s8 = "int8-s8"

    /// The format of ours that gives the same outputs.
    var format: WeightFormat { self == .fp32 ? .fp32 : .int8 }
}

/// Why onnxruntime cannot be measured.
public struct OnnxRuntimeError: Failure {
    /// Always something that is missing on this machine.
    public var kind: FailureKind { .missing }

    /// The problem and the file or call.
    public let description: String
}
