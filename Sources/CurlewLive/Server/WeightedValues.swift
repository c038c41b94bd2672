/// The elements of a header field with a client's preferences, in lower case (RFC 9110 section 12.4.2).
///
/// An element with a malformed weight has the weight 0. Only the first 1,000 characters count.
struct WeightedValues: Sendable {
  /// The elements in the order of the field.
  let elements: [(name: String, weight: Double)]

  /// Creates the elements from the value of `Accept-Encoding` or `Accept-Language`.
  init(_ value: String?) {
    elements = (value ?? "").prefix(1_000).split(separator: ",").compactMap { element in
      let parts = element.split(separator: ";", maxSplits: 1)
      guard let name = parts.first.map(Self.token) else { return nil }
      return (name, parts.count == 2 ? Self.weight(Self.token(parts[1])) : 1)
    }
  }

  /// The names from the most to the least preferred, without the names of weight 0.
  var preferred: [String] {
    elements.enumerated().filter { $0.element.weight > 0 }
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element.name)
  }

  private static func token(_ text: some StringProtocol) -> String {
    text.lowercased().filter { $0 != " " && $0 != "\t" }
  }

  /// Returns the weight in a parameter such as `q=0.5`: at most 1, with at most three decimals; 0 if it is malformed.
  private static func weight(_ parameter: String) -> Double {
    let number = parameter.dropFirst(2)
    let decimals = number.dropFirst(2)
    let isOne = number.hasPrefix("1")
    guard parameter.hasPrefix("q="), isOne || number.hasPrefix("0"),
      number.count == 1 || number.dropFirst().first == ".", decimals.count <= 3,
      decimals.allSatisfy({ isOne ? $0 == "0" : "0"..."9" ~= $0 })
    else { return 0 }
    // A weight may end with its decimal point, as in "q=1.", but a Swift number may not.
    return Double(parameter.dropFirst(2) + (parameter.contains(".") ? "0" : "")) ?? 0
  }
}
