/// An optional member of a response; an undecodable value is treated as missing.
///
/// Declare it as `Lenient<Value>?` and read it with `?.value`, so that an invalid optional member
/// never makes its entry undecodable.
struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
  /// The value; `nil` if it is null or can't be decoded.
  let value: Value?

  init(from decoder: any Decoder) throws {
    value = try? Value(from: decoder)
  }
}

/// An optional count in a response, declared as `Count?`; an undecodable value is treated as
/// missing.
struct Count: Decodable, Sendable {
  /// The count; `nil` if it can't be decoded or is negative.
  let value: Int?

  init(from decoder: any Decoder) throws {
    let number = try? Int(from: decoder)
    value = number.flatMap { $0 < 0 ? nil : $0 }
  }
}
