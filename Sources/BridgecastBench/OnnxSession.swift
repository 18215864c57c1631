// A model in onnxruntime, on a batch that lies ready: what is timed as the peer.

/// A model in an onnxruntime session: all graph optimisations, so many threads within an operator.
@safe final class OnnxSession {
    let runtime: OnnxRuntime
    private(set) var handle: OnnxRuntime.Handle?

    init(_ runtime: OnnxRuntime, model path: String, threads: Int) throws(OnnxRuntimeError) {
        self.runtime = runtime
        var options: OnnxRuntime.Handle?
        typealias CreateOptions =
            @convention(c) (UnsafeMutablePointer<OnnxRuntime.Handle?>)
            -> OnnxRuntime.Status
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
        @convention(c) (
            OnnxRuntime.Handle?, UnsafeRawPointer?, OnnxRuntime.Handle?
        ) -> OnnxRuntime.Status
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
            unsafe try bind(binding, "features", .bindInput, at: start * inputs, [count, inputs])
            if !prior.isEmpty {
                unsafe try bind(
                    binding, "prior_logits", .bindInput, at: features.count + start * outputs,
                    [count, outputs])
            }
            unsafe try bind(
                binding, prior.isEmpty ? "logits" : "probabilities", .bindOutput,
                at: outputStart + start * outputs, [count, outputs])
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

    /// Runs all chunks; the first failure ends the program's benchmark.
    @inline(__always)
    func run() {
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
            @convention(c) (
                OnnxRuntime.Handle?, UnsafeMutablePointer<OnnxRuntime.Handle?>
            ) -> OnnxRuntime.Status
        var binding: OnnxRuntime.Handle?
        unsafe try session.runtime.check(
            "binding",
            unsafe session.runtime.function(.createBinding, as: Create.self)(
                session.handle, &binding))
        unsafe bindings.append(binding)
        return unsafe binding
    }

    private func bind(
        _ binding: OnnxRuntime.Handle?, _ name: String, _ direction: OnnxRuntime.Function,
        at offset: Int, _ shape: [Int]
    ) throws(OnnxRuntimeError) {
        typealias Create =
            @convention(c) (
                OnnxRuntime.Handle?, UnsafeMutableRawPointer, Int, UnsafePointer<Int64>, Int, Int32,
                UnsafeMutablePointer<OnnxRuntime.Handle?>
            ) -> OnnxRuntime.Status
        typealias Bind =
            @convention(c) (
                OnnxRuntime.Handle?, UnsafePointer<CChar>, OnnxRuntime.Handle?
            ) -> OnnxRuntime.Status
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
            unsafe runtime.function(direction, as: Bind.self)(binding, name, value))
    }
}
