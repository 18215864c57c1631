// Names as they are compared: bridges, places, columns.
private import Foundation

/// A name as it is compared: letters and digits in lower case, without accents.
package func foldedName(_ text: String) -> String {
    text.folding(options: .diacriticInsensitive, locale: nil).lowercased()
        .filter { $0.isLetter || $0.isNumber }
}
