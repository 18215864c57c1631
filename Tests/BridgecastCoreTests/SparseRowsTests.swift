// Rows as lists: what they accept, and that they are the rows written out.
import BridgecastCore
import Testing

@Suite struct SparseRowsTests {
    @Test func rowsAreWhatWasListed() throws {
        var rows = SparseRows(width: 5)
        try rows.append(inputs: [1, 4], values: [2, -3])
        try rows.append(inputs: [], values: [])
        try rows.append(inputs: [0, 1, 2, 3, 4], values: [1, 0, 3, .nan, 5])
        #expect(rows.count == 3)
        let dense = rows.dense()
        #expect(dense.prefix(10) == [0, 2, 0, 0, -3, 0, 0, 0, 0, 0])
        #expect(dense[10] == 1 && dense[12] == 3 && dense[13].isNaN && dense[14] == 5)
        // Zeros take nothing.
        #expect(rows.entries(ofRow: 2).map(\.input) == [0, 2, 3, 4])
    }

    @Test func wrongListsAreRefusedAndLeaveNothing() throws {
        var rows = SparseRows(width: 5)
        let wrong: [([Int], Int, SparseRowsError)] = [
            ([1, 1], 2, .notIncreasing(row: 0, entry: 1, input: 1, after: 1)),
            ([3, 2], 2, .notIncreasing(row: 0, entry: 1, input: 2, after: 3)),
            ([0, 5], 2, .outOfRange(row: 0, entry: 1, input: 5, width: 5)),
            ([-1], 1, .outOfRange(row: 0, entry: 0, input: -1, width: 5)),
            ([.max], 1, .outOfRange(row: 0, entry: 0, input: .max, width: 5)),
            ([1, 2], 1, .counts(row: 0, inputs: 2, values: 1)),
        ]
        for (inputs, values, error) in wrong {
            #expect(throws: error) {
                try rows.append(inputs: inputs, values: Array(repeating: 1, count: values))
            }
            #expect(rows.count == 0 && rows.dense().isEmpty)
            #expect(error.kind == .data && error.description.hasPrefix("row 0"))
        }
        #expect(
            SparseRowsError.notIncreasing(row: 3, entry: 1, input: 7, after: 7).description
                == "row 3, entry 1: input 7 is listed twice")
    }

    /// Rows are put together from lists that others share, whichever way a batch came about.
    @Test func joinedAndChosenRowsStayThemselves() throws {
        var first = SparseRows(width: 6)
        let shared = first.appendList { list in
            list.position = 2
            list.append(7)
        }
        for value in [Float(1), 2] {
            let own = first.appendList { $0.append(value) }
            first.appendRow(shared, SparseRows.noList, own)
        }
        var second = SparseRows(width: 6)
        try second.append(inputs: [5], values: [9])
        second.append(contentsOf: first)
        second.append(row: 1, of: first)
        #expect(
            second.dense() == [
                0, 0, 0, 0, 0, 9, 1, 0, 7, 0, 0, 0, 2, 0, 7, 0, 0, 0, 2, 0, 7, 0, 0, 0,
            ])
        #expect(second.prefix(2).dense() == Array(second.dense().prefix(12)))
        second.removeAll()
        try second.append(inputs: [0], values: [4])
        #expect(second.dense() == [4, 0, 0, 0, 0, 0])
    }
}
