// A value of a table, whichever database has it.

/// A value of a row or a parameter of a statement.
package enum StoreValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)

    package init(_ value: Int64?) { self = value.map(StoreValue.integer) ?? .null }

    package init(_ value: String?) { self = value.map(StoreValue.text) ?? .null }
}

extension StoreValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }

    package init(stringLiteral value: String) { self = .text(value) }
}
