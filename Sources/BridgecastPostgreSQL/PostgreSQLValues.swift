// Values as libpq and COPY take them.
#if PostgreSQL
    package import BridgecastStore
    private import Foundation

    extension StoreValue {
        /// The value as libpq takes parameters; nil for NULL.
        var parameterText: String? {
            switch self {
            case .null: nil
            case .integer(let number): "\(number)"
            case .text(let text): text
            }
        }

        /// Appends the value as COPY reads it.
        func appendAsCopyText(to bytes: inout [UInt8]) {
            switch self {
            case .null: bytes += "\\N".utf8
            case .integer(let number): bytes += "\(number)".utf8
            case .text(let text):
                for byte in text.utf8 {
                    switch byte {
                    case UInt8(ascii: "\\"): bytes += "\\\\".utf8
                    case UInt8(ascii: "\t"): bytes += "\\t".utf8
                    case UInt8(ascii: "\n"): bytes += "\\n".utf8
                    case UInt8(ascii: "\r"): bytes += "\\r".utf8
                    default: bytes.append(byte)
                    }
                }
            }
        }

        /// Several texts as one parameter of the type `text[]`.
        package static func list(of texts: [String]) -> StoreValue {
            let items = texts.map { text in
                let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
                    .replacingOccurrences(of: "\"", with: "\\\"")
                return "\"\(escaped)\""
            }
            return .text("{\(items.joined(separator: ","))}")
        }
    }
#endif
