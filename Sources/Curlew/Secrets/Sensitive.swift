/// A secret value, which is sent, but does not appear in logs, errors, recordings or descriptions.
public struct Sensitive: Sendable, Hashable {
  /// The secret itself.
  public let value: String

  /// Creates a secret value from a text.
  public init(_ value: String) {
    self.value = value
  }
}

extension Sensitive: Described {
  /// The mask `***` instead of the secret.
  public var description: String { Redaction.mask }
}
