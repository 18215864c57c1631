// One thing that can be set about `serve`: its name, what it takes, how it is read; the table is in ServeKey+Table.
import ArgumentParser
import BridgecastCore

/// A setting: `most_rows` of `http` is `--most-rows`, `BRIDGECAST_HTTP_MOST_ROWS`, and `{"http": {"most_rows": ...}}`.
struct ServeKey: Sendable {
    /// The part of the file that it stands in.
    enum Section: String, CaseIterable, Sendable {
        /// Addresses, limits and times.
        case http
        /// What is served.
        case serve
    }

    let section: Section
    /// In small letters with underscores.
    let name: String
    /// One line for help.
    let words: String
    /// What it takes, after "takes".
    let takes: String
    /// Whether it is shown only as set.
    var isSecret = false
    /// Whether it is there or not, as an option without a value.
    var isSwitch = false
    /// The value as it would be typed; empty for none.
    let text: @Sendable (ServePlan) -> String
    /// Takes a value over; false if it is not one.
    let write: @Sendable (String, inout ServePlan) -> Bool

    /// The option on a command line.
    var option: String { "--" + name.replacing("_", with: "-") }
    /// The variable in the environment.
    var variable: String { "BRIDGECAST_\(section.rawValue)_\(name)".uppercased() }
    /// The place in a file.
    var place: String { "\(section.rawValue).\(name)" }
    /// Help of the option, with the usual value.
    var help: ArgumentHelp {
        let usual = text(ServePlan())
        let shown = usual.isEmpty || isSwitch ? "" : " Default: \(usual)."
        return ArgumentHelp(stringLiteral: "\(words)\(shown)")
    }
}

extension ServeKey {
    /// A whole number in a range.
    static func integer(
        _ section: Section, _ name: String, _ words: String, in range: ClosedRange<Int>,
        _ path: any WritableKeyPath<ServePlan, Int> & Sendable
    ) -> ServeKey {
        ServeKey(
            section: section, name: name, words: words,
            takes: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            text: { "\($0[keyPath: path])" },
            write: { text, plan in
                guard let value = Int(text), range.contains(value) else { return false }
                plan[keyPath: path] = value
                return true
            })
    }

    /// A number in a range.
    static func number(
        _ section: Section, _ name: String, _ words: String, in range: ClosedRange<Double>,
        _ path: any WritableKeyPath<ServePlan, Double> & Sendable
    ) -> ServeKey {
        ServeKey(
            section: section, name: name, words: words,
            takes: "a number from \(short(range.lowerBound)) to \(short(range.upperBound))",
            text: { Self.short($0[keyPath: path]) },
            write: { text, plan in
                guard let value = Double(text), range.contains(value) else { return false }
                plan[keyPath: path] = value
                return true
            })
    }

    private static func short(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
    }

    /// A text of one line.
    static func text(
        _ section: Section, _ name: String, _ words: String, takes: String, isSecret: Bool = false,
        _ path: any WritableKeyPath<ServePlan, String> & Sendable,
        where isOne: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> ServeKey {
        ServeKey(
            section: section, name: name, words: words, takes: takes, isSecret: isSecret,
            text: { $0[keyPath: path] },
            write: { text, plan in
                guard !text.isEmpty, text.utf8.count <= 4096, isOne(text) else { return false }
                plan[keyPath: path] = text
                return true
            })
    }

    /// Texts, with commas between them where they are one.
    static func list(
        _ section: Section, _ name: String, _ words: String, takes: String,
        _ path: any WritableKeyPath<ServePlan, [String]> & Sendable
    ) -> ServeKey {
        ServeKey(
            section: section, name: name, words: words, takes: takes,
            text: { $0[keyPath: path].joined(separator: ",") },
            write: { text, plan in
                let parts = text.split(separator: ",").map { $0.trimmingBlanks() }
                guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty }) else { return false }
                plan[keyPath: path] = parts
                return true
            })
    }

    /// Something that is so or not.
    static func toggle(
        _ section: Section, _ name: String, _ words: String,
        _ path: any WritableKeyPath<ServePlan, Bool> & Sendable
    ) -> ServeKey {
        ServeKey(
            section: section, name: name, words: words, takes: "true or false", isSwitch: true,
            text: { "\($0[keyPath: path])" },
            write: { text, plan in
                guard let value = Bool(text.lowercased()) else { return false }
                plan[keyPath: path] = value
                return true
            })
    }
}

extension Substring {
    /// Without blanks at both ends.
    fileprivate func trimmingBlanks() -> String {
        let front = drop { $0 == " " }
        return String(front.reversed().drop { $0 == " " }.reversed())
    }
}
