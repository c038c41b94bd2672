public import Foundation
import Synchronization

/// A `JSONDecoder` that is several times as fast as Foundation's.
///
/// It decodes the same types to the same values, with the same settings. It is the default decoder of clients.
///
/// ```swift
/// let decoder = FastJSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let dog = try decoder.decode(Dog.self, from: data)
/// ```
public final class FastJSONDecoder: JSONDecoder, @unchecked Sendable {
  // Unchecked because the superclass is; its own settings are protected by a lock.
  private let settings: Mutex<Settings>

  /// Creates a decoder with the default strategies.
  public override init() {
    settings = Mutex(Settings.standard)
    super.init()
  }

  /// Creates a decoder of standard JSON with the strategies of another decoder.
  package convenience init(strategiesOf decoder: JSONDecoder) {
    self.init()
    dateDecodingStrategy = decoder.dateDecodingStrategy
    dataDecodingStrategy = decoder.dataDecodingStrategy
    nonConformingFloatDecodingStrategy = decoder.nonConformingFloatDecodingStrategy
    keyDecodingStrategy = decoder.keyDecodingStrategy
    userInfo = decoder.userInfo
  }

  /// Decodes a value from a JSON text.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The text in UTF-8, UTF-16 or UTF-32.
  /// - Throws: The errors of Foundation's decoder, such as `DecodingError.dataCorrupted` for invalid JSON. Unlike
  ///   Foundation's, errors for a number that doesn't fit and for a malformed string have the coding path, and a
  ///   trailing comma is an error (RFC 8259).
  public override func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws -> Value {
    let settings = settings.withLock { $0 }
    guard !settings.needsFoundation else { return try decodeByFoundation(type, from: data) }
    return try data.withUnsafeBytes { bytes in
      // The common case.
      if let first = bytes.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
        bytes.count < 2 || bytes[1] != 0, bytes.count < Word.sizeLimit
      {
        return try TapeDecoder.decode(type, bytes, settings)
      }
      return try TextEncoding.withUTF8(bytes) { text in
        text.count < Word.sizeLimit
          ? try TapeDecoder.decode(type, text, settings)
          : try decodeByFoundation(type, from: Data(text))
      }
    }
  }

  private func decodeByFoundation<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws -> Value {
    try super.decode(type, from: FoundationText.checked(data, for: self))
  }

  // MARK: - Settings

  public override var dateDecodingStrategy: DateDecodingStrategy {
    get { super.dateDecodingStrategy }
    set { change { super.dateDecodingStrategy = newValue } }
  }

  public override var dataDecodingStrategy: DataDecodingStrategy {
    get { super.dataDecodingStrategy }
    set { change { super.dataDecodingStrategy = newValue } }
  }

  public override var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
    get { super.nonConformingFloatDecodingStrategy }
    set { change { super.nonConformingFloatDecodingStrategy = newValue } }
  }

  public override var keyDecodingStrategy: KeyDecodingStrategy {
    get { super.keyDecodingStrategy }
    set { change { super.keyDecodingStrategy = newValue } }
  }

  public override var userInfo: [CodingUserInfoKey: any Sendable] {
    get { super.userInfo }
    set { change { super.userInfo = newValue } }
  }

  public override var allowsJSON5: Bool {
    get { super.allowsJSON5 }
    set { change { super.allowsJSON5 = newValue } }
  }

  /// Changes a superclass setting, and caches all settings, because reading each takes a lock.
  private func change(_ change: () -> Void) {
    settings.withLock { settings in
      change()
      settings = Settings(self)
    }
  }
}
