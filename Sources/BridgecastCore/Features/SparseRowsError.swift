// What is wrong with a row given as a list; thrown by SparseRows.

/// A list that is no row: which row, which entry, and what it says.
public enum SparseRowsError: Failure, Equatable {
    /// As many values as inputs are needed.
    case counts(row: Int, inputs: Int, values: Int)
    /// An input that rows of this width do not have.
    case outOfRange(row: Int, entry: Int, input: Int, width: Int)
    /// Inputs must increase: this one comes again, or too late.
    case notIncreasing(row: Int, entry: Int, input: Int, after: Int)

    /// The data are wrong.
    public var kind: FailureKind { .data }

    /// What is wrong, in a sentence.
    public var description: String {
        switch self {
        case .counts(let row, let inputs, let values):
            "row \(row) lists \(inputs) inputs but \(values) values"
        case .outOfRange(let row, let entry, let input, let width):
            "row \(row), entry \(entry): input \(input) is not one of 0 to \(width - 1)"
        case .notIncreasing(let row, let entry, let input, let after) where input == after:
            "row \(row), entry \(entry): input \(input) is listed twice"
        case .notIncreasing(let row, let entry, let input, let after):
            "row \(row), entry \(entry): input \(input) comes after input \(after); inputs must increase"
        }
    }
}
