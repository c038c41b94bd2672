import Foundation

/// A decoder's settings in the form used for decoding.
final class Settings: Sendable {
  let dates: JSONDecoder.DateDecodingStrategy
  let data: JSONDecoder.DataDecodingStrategy
  let floats: JSONDecoder.NonConformingFloatDecodingStrategy
  let keys: JSONDecoder.KeyDecodingStrategy
  let keyStyle: KeyStyle
  let userInfo: [CodingUserInfoKey: any Sendable]
  /// Whether only Foundation's decoder supports the text: JSON5, or an object without braces.
  let needsFoundation: Bool

  /// The kind of the key decoding strategy.
  enum KeyStyle { case same, snakeCase, custom }

  init(_ decoder: JSONDecoder) {
    dates = decoder.dateDecodingStrategy
    data = decoder.dataDecodingStrategy
    floats = decoder.nonConformingFloatDecodingStrategy
    keys = decoder.keyDecodingStrategy
    keyStyle =
      switch keys {
      case .useDefaultKeys: .same
      case .convertFromSnakeCase: .snakeCase
      default: .custom
      }
    userInfo = decoder.userInfo
    needsFoundation = decoder.allowsJSON5 || decoder.assumesTopLevelDictionary
  }

  static let standard = Settings(JSONDecoder())

  /// Returns the key conversion of an object; `nil` for none.
  ///
  /// - Parameter path: The object's coding path.
  func keyConversion(at path: () -> [any CodingKey]) -> ((String) -> String)? {
    switch keys {
    case .useDefaultKeys: return nil
    case .convertFromSnakeCase: return SnakeCase.camelCase
    case .custom(let convert):
      let path = path()
      return { convert(path + [PathKey(stringValue: $0)]).stringValue }
    @unknown default: return nil
    }
  }
}
