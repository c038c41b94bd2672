import CurlewJSON
import Foundation

/// Decoding with ours alone, where Foundation can't be asked.
enum FastDecoding {
  static func outcome<T: Decodable>(_ type: T.Type, _ json: some JSONDocument) -> Outcome<T> {
    Outcome { try FastJSONDecoder().decode(type, from: json.data) }
  }
}
