// Neighbouring fields of a record as one text; made by RawRecord, remembered by ByteMemo.

/// The text from the start of a field to the end of a later one.
struct FieldStretch {
    let slice: FieldSlice
    /// Where fields end and begin in it: the same text may be divided otherwise, as where a quote is missing.
    let shape: UInt32

    /// Longer stretches are none.
    static let longest = 160
}
