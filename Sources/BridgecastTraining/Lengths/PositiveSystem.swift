// Linear equations with a symmetric positive matrix, as Newton's method makes them; LengthFit solves them.

/// Linear equations A x = b with a symmetric, positive definite A.
enum PositiveSystem {
    /// Solves by Cholesky's decomposition, O(n^3).
    ///
    /// - Precondition: The matrix [n, n] is symmetric and positive definite.
    /// - Parameters:
    ///   - matrix: A, [n, n].
    ///   - right: b, [n].
    static func solve(_ matrix: [Double], _ right: [Double]) -> [Double] {
        let count = right.count
        var lower = matrix
        for row in 0..<count {
            for column in 0...row {
                var sum = matrix[row * count + column]
                for inner in 0..<column {
                    sum -= lower[row * count + inner] * lower[column * count + inner]
                }
                if row == column {
                    precondition(sum > 0, "the matrix is not positive definite")
                    lower[row * count + row] = sum.squareRoot()
                } else {
                    lower[row * count + column] = sum / lower[column * count + column]
                }
            }
        }
        var values = right
        for row in 0..<count {
            for inner in 0..<row { values[row] -= lower[row * count + inner] * values[inner] }
            values[row] /= lower[row * count + row]
        }
        for row in (0..<count).reversed() {
            for inner in row + 1..<count {
                values[row] -= lower[inner * count + row] * values[inner]
            }
            values[row] /= lower[row * count + row]
        }
        return values
    }
}
