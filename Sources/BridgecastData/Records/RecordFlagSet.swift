// The flags of one record in a byte: files hold millions. Used by SDOTRecordParser and ParsedRecord.
internal import BridgecastCore

/// The flags of a record, one bit each.
struct RecordFlagSet: OptionSet {
    let rawValue: UInt8

    static let short = RecordFlagSet(rawValue: 1 << 0)
    static let long = RecordFlagSet(rawValue: 1 << 1)
    static let missingEnd = RecordFlagSet(rawValue: 1 << 2)
    static let minutesDisagree = RecordFlagSet(rawValue: 1 << 3)
    static let repeatedHour = RecordFlagSet(rawValue: 1 << 4)

    /// The flags by name, in the order of ``RecordFlag/allCases``.
    var flags: [RecordFlag] {
        rawValue == 0 ? [] : RecordFlag.allCases.filter { contains(Self($0)) }
    }

    private init(_ flag: RecordFlag) {
        self =
            switch flag {
            case .short: .short
            case .long: .long
            case .missingEnd: .missingEnd
            case .minutesDisagree: .minutesDisagree
            case .repeatedHour: .repeatedHour
            }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What is noteworthy about an opening.
    ///
    /// - Parameters:
    ///   - stated: The minutes that its record states.
    ///   - isRepeated: Whether it is in the hour that clocks repeat.
    @inline(__always)
    init(_ opening: Opening, minutes stated: Double?, isRepeated: Bool) {
        self.init()
        if isRepeated { insert(.repeatedHour) }
        guard let length = opening.minutes else {
            insert(.missingEnd)
            return
        }
        if length <= Opening.shortMinutes { insert(.short) }
        if length >= Opening.longMinutes { insert(.long) }
        if let stated, abs(stated - length) > 2 { insert(.minutesDisagree) }
    }
}
