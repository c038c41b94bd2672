import CurlewJSON
import Foundation

/// Decoding with `FastJSONDecoder` alone, where Foundation's decoder can't be used.
enum FastDecoding {
  static func outcome<T: Decodable>(_ type: T.Type, _ json: some JSONDocument) -> Outcome<T> {
    Outcome { try FastJSONDecoder().decode(type, from: json.data) }
  }
}
