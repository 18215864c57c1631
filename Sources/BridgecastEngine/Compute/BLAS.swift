// The safe face of OpenBLAS: matrix products on Swift arrays, for inference and for training.
private import COpenBLAS

/// OpenBLAS with checked sizes; matrices are dense and row-major.
package enum BLAS {
    /// How a factor enters a product.
    package enum Form: Sendable {
        /// As stored.
        case plain
        /// Transposed.
        case transposed
    }

    /// c = a b + scale * c for op(a) [m, k], op(b) [k, n] and c [m, n].
    ///
    /// - Parameters:
    ///   - a: [m, k], or [k, m] if transposed.
    ///   - b: [k, n], or [n, k] if transposed.
    ///   - scale: What is kept of c; 0 overwrites it.
    package static func multiply(
        _ a: [Float], _ formA: Form, _ b: [Float], _ formB: Form,
        into c: inout [Float], m: Int, n: Int, k: Int, keeping scale: Float = 0
    ) {
        precondition(a.count >= m * k && b.count >= k * n && c.count >= m * n)
        guard m > 0, n > 0, k > 0 else { return }
        unsafe cblas_sgemm(
            CblasRowMajor, formA.code, formB.code, Int32(m), Int32(n), Int32(k), 1,
            a, Int32(formA == .plain ? k : m), b, Int32(formB == .plain ? n : k), scale,
            &c, Int32(n))
    }

    /// c = a b + c for a [m, k] and c [m, n] whose rows lie `strideA` and `strideC` numbers apart.
    static func multiply(
        _ a: UnsafePointer<Float>, _ b: [Float], addingTo c: UnsafeMutablePointer<Float>, m: Int,
        n: Int, k: Int, strideA: Int, strideC: Int
    ) {
        precondition(b.count >= k * n && strideA >= k && strideC >= n)
        unsafe cblas_sgemm(
            CblasRowMajor, CblasNoTrans, CblasNoTrans, Int32(m), Int32(n), Int32(k), 1, a,
            Int32(strideA), b, Int32(n), 1, c, Int32(strideC))
    }

    /// Makes OpenBLAS compute on the calling thread only: we split work over threads ourselves.
    package static func useOneThread() { openblas_set_num_threads(1) }

    /// The kernels OpenBLAS has chosen for this CPU, such as `SkylakeX`.
    package static var coreName: String {
        guard let name = unsafe openblas_get_corename() else { return "unknown" }
        return unsafe String(cString: name)
    }
}

extension BLAS.Form {
    fileprivate var code: CBLAS_TRANSPOSE { self == .plain ? CblasNoTrans : CblasTrans }
}
