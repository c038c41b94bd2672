/// The items of a URL's query, in order; a name may occur more than once.
///
/// ```swift
/// let query: Query = ["q": text, "page": page, "labels": ["bug", "help"], "api_key": Sensitive(key)]
/// ```
///
/// A `nil` value drops its item, an array repeats its name, and every name and value is percent-encoded
/// (RFC 3986): a space as `%20` and `+` as `%2B`.
public struct Query: Sendable, Hashable {
  /// A name and its value.
  public struct Item: Sendable, Hashable {
    /// The name, without percent-encoding.
    public var name: String
    /// The value, without percent-encoding.
    public var value: String
    /// Whether the value must not appear in logs, errors and recordings.
    var isSensitive: Bool

    /// Creates an item.
    public init(_ name: String, _ value: String, isSensitive: Bool = false) {
      self.name = name
      self.value = value
      self.isSensitive = isSensitive
    }
  }

  /// The items in the order in which they are sent.
  public var items: [Item]

  /// Creates a query of these items.
  public init(_ items: [Item] = []) {
    self.items = items
  }

  /// The percent-encoded text after the `?`; empty when there are no items.
  public var encoded: String {
    var text = ""
    text.reserveCapacity(items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 })
    for item in items {
      if !text.isEmpty { text += "&" }
      PercentEncoding.unreserved.append(item.name, to: &text)
      text += "="
      PercentEncoding.unreserved.append(item.value, to: &text)
    }
    return text
  }
}

extension Query: ExpressibleByDictionaryLiteral {
  /// Creates a query; `nil` drops an item, an array repeats its name.
  public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
    var items: [Item] = []
    items.reserveCapacity(elements.count)
    for (name, value) in elements {
      guard let value else { continue }
      // Types are compared, not cast: a cast takes longer than the rest of the loop.
      let type: any Any.Type = type(of: value)
      let isSensitive = type == Sensitive.self || type == [Sensitive].self
      for text in value.queryValues { items.append(Item(name, text, isSensitive: isSensitive)) }
    }
    self.init(items)
  }
}

extension Query {
  /// Returns the items of a query, followed by the items of another query.
  public static func + (one: Query, other: Query) -> Query { Query(one.items + other.items) }

  /// Returns this query with the items of another query, which replace items of the same names.
  public func merging(_ other: Query) -> Query {
    let names = Set(other.items.map(\.name))
    return Query(items.filter { !names.contains($0.name) } + other.items)
  }
}

extension Query: Described {
  /// The items, with sensitive values masked.
  public var description: String {
    items.map { "\($0.name)=\($0.isSensitive ? Redaction.mask : $0.value)" }.joined(separator: "&")
  }
}

extension Query.Item: Described {
  /// The name and the value, or a mask when the value is sensitive.
  public var description: String { "\(name)=\(isSensitive ? Redaction.mask : value)" }
}
