/// An optional member of a response; a value that can't be read is as good as none.
///
/// Use it as `Lenient<String>?` and read it by `?.value`, so that a member which nobody depends on
/// never loses the entry that it belongs to.
struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
  /// The value; `nil` when it is null or can't be read.
  let value: Value?

  init(from decoder: any Decoder) throws {
    value = try? Value(from: decoder)
  }
}

/// An optional count in a response; use it as `Count?`, as a lenient member.
struct Count: Decodable, Sendable {
  /// The count; `nil` when it can't be read, or is negative and thus no count.
  let value: Int?

  init(from decoder: any Decoder) throws {
    let number = try? Int(from: decoder)
    value = number.flatMap { $0 < 0 ? nil : $0 }
  }
}
