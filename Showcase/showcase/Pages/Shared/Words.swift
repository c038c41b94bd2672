import Foundation

extension Int {
  /// With a comma after each three digits: `1,234`.
  var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}

extension String {
  /// A text as a field would take it: in one line of at most 200 characters.
  var asTyped: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 }.prefix(200)))
  }
}

extension URL {
  /// The address, if it is one of the web: data must not bring a page to run something.
  var webAddress: String? {
    ["http", "https"].contains(scheme?.lowercased()) ? absoluteString : nil
  }
}

/// Something to choose, as an option of a `<select>`.
struct Choice {
  let value: String
  let name: String
  let isChosen: Bool
}

/// A `<select>` with a name.
struct Choices {
  let name: String
  let label: String
  let choices: [Choice]
}
