import Curlew

extension DriftReport {
  /// A change in an endpoint's responses.
  public struct Change: Sendable, Hashable, Codable {
    /// The endpoint.
    public let endpoint: Endpoint
    /// The status of the error responses that changed; `nil` for successful responses.
    public let status: Int?
    /// The coding path as in decoding errors; empty for the whole body.
    ///
    /// In `results[].user.login`, `[]` stands for any index, and `{id}` for any identifier. Keys of more than 100
    /// characters and paths of more than 1,000 are shortened.
    public let codingPath: String
    /// The kind of change.
    public let kind: Kind
  }

  /// The kind of change at a coding path.
  ///
  /// When an object or array appeared or disappeared, only its topmost path is reported.
  public enum Kind: Sendable, Hashable, Codable {
    /// The key is new in some or all responses. `types` is empty if its value is always `null`.
    case appeared(types: [ValueType])
    /// The key is missing from all new responses.
    case disappeared(types: [ValueType])
    /// The value has different types than before.
    ///
    /// Integers in place of a ``ValueType/number`` are not a change.
    case typeChanged(from: [ValueType], to: [ValueType])
    /// The value became `null` at least sometimes, or stopped being `null`.
    case nullabilityChanged(from: Nullability, to: Nullability)
    /// The key was always present, and is now sometimes missing.
    case becameOptional
    /// The key was sometimes missing, and is now always present.
    case becameRequired
    /// The bodies changed their kind, for example from JSON to HTML.
    case bodyChanged(from: [BodyKind], to: [BodyKind])
    /// The endpoint responded only with statuses of different classes. Their bodies are not compared.
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
    /// Any other number, or a mix of integers and others.
    case number
    /// `true` or `false`.
    case boolean
  }

  /// How often a value is `null`.
  public enum Nullability: String, Sendable, Hashable, Codable {
    /// The value is never `null`.
    case never
    /// The value is `null` in some responses or elements.
    case sometimes
    /// The value is `null` wherever its key is present.
    case always
  }

  /// The kind of content in a body.
  public enum BodyKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// No content.
    case empty
    /// JSON.
    case json
    /// Other content, such as HTML or truncated JSON.
    case other
  }
}
