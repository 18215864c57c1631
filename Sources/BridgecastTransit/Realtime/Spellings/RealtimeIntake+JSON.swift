// Members of JSON as feeds have them: numbers as texts and texts as numbers, enums by either; the rest is noted.
internal import BridgecastCore

extension RealtimeIntake {
    /// A member as text; a number is one too.
    mutating func text(_ tree: JSONTree, _ name: String) -> String? {
        switch tree[name] {
        case nil: return nil
        case .text(let text): return text
        case .integer(let number): return String(number)
        case let other?: return odd(name, other)
        }
    }

    /// A member as a whole number.
    mutating func integer(_ tree: JSONTree, _ name: String) -> Int64? {
        switch tree[name] {
        case nil: return nil
        case .integer(let number): return number
        case .real(let number) where number == number.rounded() && abs(number) < 1e15:
            return Int64(number)
        case .text(let text) where Int64(text) != nil: return Int64(text)
        // Numbers above those that a signed number holds stand for an end that is open.
        case .text(let text) where UInt64(text) != nil: return .max
        case .real(let number) where number >= 1e15: return .max
        case let other?: return odd(name, other)
        }
    }

    /// A member as a number.
    mutating func real(_ tree: JSONTree, _ name: String) -> Double? {
        switch tree[name] {
        case nil: return nil
        case .integer(let number): return Double(number)
        case .real(let number): return number
        case .text(let text) where Double(text)?.isFinite == true: return Double(text)
        case let other?: return odd(name, other)
        }
    }

    /// A member as the 32 bits that the format has.
    mutating func float(_ tree: JSONTree, _ name: String) -> Float? {
        real(tree, name).map { Float($0) }
    }

    /// A member that counts something: a whole number within 32 bits.
    mutating func count(_ tree: JSONTree, _ name: String) -> Int? {
        guard let number = integer(tree, name) else { return nil }
        guard let count = Int32(exactly: number) else { return odd(name, .integer(number)) }
        return Int(count)
    }

    /// A member that is true or false.
    mutating func flag(_ tree: JSONTree, _ name: String) -> Bool? {
        switch tree[name] {
        case nil: return nil
        case .flag(let flag): return flag
        case .integer(0), .text("false"): return false
        case .integer(1), .text("true"): return true
        case let other?: return odd(name, other)
        }
    }

    /// A member that is a moment.
    mutating func moment(_ tree: JSONTree, _ name: String) -> Timestamp? {
        integer(tree, name).flatMap { moment($0, name) }
    }

    /// A member of an enum, by number or by name; nil if it is none of the known ones, or empty.
    mutating func choice(_ tree: JSONTree, _ name: String, _ names: EnumNames) -> Int? {
        switch tree[name] {
        case nil, .text(""): return nil
        case .integer(let number):
            if let number = Int(exactly: number), names.name(of: number) != nil { return number }
            return unknown(name, String(number))
        case .text(let text):
            if let number = names.number(of: text) { return number }
            if let number = Int(text), names.name(of: number) != nil { return number }
            return unknown(name, text)
        case let other?: return odd(name, other)
        }
    }

    /// A member that is a list; an object alone is a list of one.
    mutating func list(_ tree: JSONTree, _ names: String...) throws(DocumentProblem) -> [JSONTree] {
        for name in names {
            switch tree[name] {
            case nil: continue
            case .list(let elements):
                try count(elements.count)
                return elements
            case .object(let members): return [.object(members)]
            case let other?:
                let nothing: [JSONTree]? = odd(name, other)
                return nothing ?? []
            }
        }
        return []
    }

    private mutating func odd<Value>(_ name: String, _ value: JSONTree) -> Value? {
        note(.warning, "invalid_field", name, "\(name) is \(value.words); left out")
        return nil
    }

    private mutating func unknown(_ name: String, _ value: String) -> Int? {
        note(
            .info, "unknown_enum_value", name,
            "\(name) is '\(printable(value, most: 40))', which is not known; left out")
        return nil
    }
}

extension JSONTree {
    /// What it is, for people.
    var words: String {
        switch self {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): "'\(printable(text, most: 40))'"
        case .list: "a list"
        case .object: "an object"
        }
    }
}
