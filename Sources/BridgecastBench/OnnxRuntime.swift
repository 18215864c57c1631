// onnxruntime through its C API, loaded at run time from the library in its Python package: the peer.
import BridgecastCore
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
            @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutablePointer<Handle?>)
            -> Status
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
