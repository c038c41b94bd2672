/// A secret value: it is sent, but appears in no log, error, recording or description.
public struct Sensitive: Sendable, Hashable {
  /// The secret itself.
  public let value: String

  /// Marks a text as secret.
  public init(_ value: String) {
    self.value = value
  }
}

extension Sensitive: Described {
  /// A mask instead of the secret.
  public var description: String { Redaction.mask }
}
