import Curlew

extension DriftReport {
  /// One change of an endpoint's responses.
  public struct Change: Sendable, Hashable, Codable {
    /// The endpoint.
    public let endpoint: Endpoint
    /// The status of the error responses that changed; `nil` for successful responses.
    public let status: Int?
    /// The coding path, as decoding errors write it; empty for the whole body.
    ///
    /// In `results[].user.login`, `[]` stands for any index, as `{id}` does for any identifier. Keys of
    /// more than 100 characters are shortened, and paths of more than 1,000.
    public let codingPath: String
    /// What changed.
    public let kind: Kind
  }

  /// What changed at a coding path.
  ///
  /// Of an object or array that appeared or disappeared, only the topmost path is reported.
  public enum Kind: Sendable, Hashable, Codable {
    /// The key is new, at least sometimes. The types are none if its value is always `null`.
    case appeared(types: [ValueType])
    /// The key is gone everywhere.
    case disappeared(types: [ValueType])
    /// The value has other types than before.
    ///
    /// A ``ValueType/number`` whose values are all integers now did not change.
    case typeChanged(from: [ValueType], to: [ValueType])
    /// The value is `null` and was never before, or is never `null` any more.
    case nullabilityChanged(from: Nullability, to: Nullability)
    /// The key was always present, and is sometimes missing now.
    case becameOptional
    /// The key was sometimes missing, and is always present now.
    case becameRequired
    /// The bodies are of another kind: JSON that was none before, or none any more.
    case bodyChanged(from: [BodyKind], to: [BodyKind])
    /// The endpoint responded with statuses of other classes only; their bodies are not compared.
    case statusChanged(from: [Int], to: [Int])
  }

  /// The type of a JSON value that is not `null`.
  public enum ValueType: String, Sendable, Hashable, Codable, CaseIterable {
    /// An object.
    case object
    /// An array.
    case array
    /// A string.
    case string
    /// A number without a fraction and an exponent that fits an `Int64`.
    case integer
    /// Any other number, or both kinds.
    case number
    /// `true` or `false`.
    case boolean
  }

  /// How often a value is `null`.
  public enum Nullability: String, Sendable, Hashable, Codable {
    /// It has always a value.
    case never
    /// It is `null` in some responses or elements.
    case sometimes
    /// It is `null` wherever its key is present.
    case always
  }

  /// What a body holds.
  public enum BodyKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing.
    case empty
    /// JSON.
    case json
    /// Anything else, such as HTML, or JSON that is cut off.
    case other
  }
}
