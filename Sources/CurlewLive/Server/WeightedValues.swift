/// The elements of a header field by which a client says what it prefers, in lower case (RFC 9110 section 12.4.2).
///
/// The weight of an element whose weight is malformed is 0. Only the first 1,000 characters count.
struct WeightedValues: Sendable {
  /// The elements in the order of the field.
  let elements: [(name: String, weight: Double)]

  /// Parses the value of `Accept-Encoding` or `Accept-Language`.
  init(_ value: String?) {
    elements = (value ?? "").prefix(1_000).split(separator: ",").compactMap { element in
      let parts = element.split(separator: ";", maxSplits: 1)
      guard let name = parts.first.map(Self.token) else { return nil }
      return (name, parts.count == 2 ? Self.weight(Self.token(parts[1])) : 1)
    }
  }

  /// The names from the most to the least wanted, without those that are not wanted at all.
  var preferred: [String] {
    elements.enumerated().filter { $0.element.weight > 0 }
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element.name)
  }

  private static func token(_ text: some StringProtocol) -> String {
    text.lowercased().filter { $0 != " " && $0 != "\t" }
  }

  /// Returns the value of `q=0.5`, which is at most 1 and has at most three decimals.
  private static func weight(_ parameter: String) -> Double {
    let number = parameter.dropFirst(2)
    let decimals = number.dropFirst(2)
    let isOne = number.hasPrefix("1")
    guard parameter.hasPrefix("q="), isOne || number.hasPrefix("0"),
      number.count == 1 || number.dropFirst().first == ".", decimals.count <= 3,
      decimals.allSatisfy({ isOne ? $0 == "0" : "0"..."9" ~= $0 })
    else { return 0 }
    // A number may end with its point there, as in "q=1.", but not in Swift.
    return Double(parameter.dropFirst(2) + (parameter.contains(".") ? "0" : "")) ?? 0
  }
}
