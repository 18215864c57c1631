private import COpenBLAS
private import Synchronization

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
        _ a: [Float], _ formA: Form, by b: [Float], _ formB: Form,
        into c: inout [Float], m: Int, n: Int, k: Int, keeping scale: Float = 0
    ) {
        precondition(a.count >= m * k && b.count >= k * n && c.count >= m * n)
        guard m > 0, n > 0 else { return }
        guard k > 0 else {
            // Nothing to add up: the strides of empty factors would be refused.
            for cell in 0..<m * n { c[cell] = scale == 0 ? 0 : scale * c[cell] }
            return
        }
        onOneThread {
            unsafe cblas_sgemm(
                CblasRowMajor, formA.code, formB.code, Int32(m), Int32(n), Int32(k), 1,
                a, Int32(formA == .plain ? k : m), b, Int32(formB == .plain ? n : k), scale,
                &c, Int32(n))
        }
    }

    /// c = a b + c for a [m, k] and c [m, n] whose rows lie `strideA` and `strideC` numbers apart.
    ///
    /// To be called within ``onOneThread(_:)``.
    static func multiply(
        _ a: UnsafePointer<Float>, _ b: [Float], addingTo c: UnsafeMutablePointer<Float>, m: Int,
        n: Int, k: Int, strideA: Int, strideC: Int
    ) {
        precondition(b.count >= k * n && strideA >= k && strideC >= n)
        unsafe cblas_sgemm(
            CblasRowMajor, CblasNoTrans, CblasNoTrans, Int32(m), Int32(n), Int32(k), 1, a,
            Int32(strideA), b, Int32(n), 1, c, Int32(strideC))
    }

    /// y = y + factor * x for `count` contiguous numbers; too few for OpenBLAS to divide.
    package static func add(
        _ factor: Float, times x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        unsafe cblas_saxpy(Int32(count), factor, x, 1, y, 1)
    }

    /// Runs something during which OpenBLAS computes on the calling threads only: we split work over
    /// threads ourselves.
    ///
    /// OpenBLAS knows one number of threads for the whole process. It is set to one when the first caller
    /// enters and set back when the last one leaves: a program that uses OpenBLAS for itself finds it as it
    /// left it. Its own products that run at that very time take one thread, and a number that it sets then is
    /// lost. Entering costs two locks, some 50 ns; it may be entered within itself.
    package static func onOneThread<Result>(_ work: () throws -> Result) rethrows -> Result {
        scope.withLock { scope in
            if scope.callers == 0 {
                scope.threadsBefore = openblas_get_num_threads()
                openblas_set_num_threads(1)
            }
            scope.callers += 1
        }
        defer {
            scope.withLock { scope in
                scope.callers -= 1
                if scope.callers == 0 { openblas_set_num_threads(scope.threadsBefore) }
            }
        }
        return try work()
    }

    /// The callers within ``onOneThread(_:)``, and what is restored after them.
    private static let scope = Mutex((callers: 0, threadsBefore: Int32(1)))

    /// The kernels OpenBLAS has chosen for this CPU, such as `SkylakeX`.
    package static var coreName: String {
        guard let name = unsafe openblas_get_corename() else { return "unknown" }
        return unsafe String(cString: name)
    }
}

extension BLAS.Form {
    fileprivate var code: CBLAS_TRANSPOSE { self == .plain ? CblasNoTrans : CblasTrans }
}

extension [Float] {
    /// [columns, rows] of [rows, columns].
    package func transposed(rows: Int, columns: Int) -> [Float] {
        var result = self
        for row in 0..<rows {
            for column in 0..<columns { result[column * rows + row] = self[row * columns + column] }
        }
        return result
    }
}
