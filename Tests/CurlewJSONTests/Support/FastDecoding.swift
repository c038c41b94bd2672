import CurlewJSON
import Foundation

/// Decoding with ours alone, where Foundation can't be asked.
enum FastDecoding {
  static func outcome<T: Decodable>(_ type: T.Type, _ json: String) -> Outcome<T> {
    outcome(type, Data(json.utf8))
  }

  static func outcome<T: Decodable>(_ type: T.Type, _ json: Data) -> Outcome<T> {
    Outcome { try FastJSONDecoder().decode(type, from: json) }
  }
}
