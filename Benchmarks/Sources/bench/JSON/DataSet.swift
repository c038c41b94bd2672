import CurlewJSON
import Documents
import Foundation

/// A document, and the type to decode it as.
struct DataSet {
  let name: String
  let data: Data
  /// The required speed-up over `JSONDecoder`; `nil` for no goal.
  let goal: Double?
  /// Decodes the document.
  let decode: (JSONDecoder) throws -> Void
  /// Returns whether two decoders decode the same value.
  let decodesSame: (JSONDecoder, JSONDecoder) throws -> Bool
  private let configure: (JSONDecoder) -> Void

  init<Value: Decodable & Equatable>(
    _ name: String, _ text: String, as type: Value.Type, goal: Double? = nil,
    configure: @escaping (JSONDecoder) -> Void = { _ in }
  ) {
    let data = Data(text.utf8)
    self.name = name
    self.data = data
    self.goal = goal
    self.configure = configure
    decode = { _ = try $0.decode(Value.self, from: data) }
    decodesSame = {
      try $0.decode(Value.self, from: data) == $1.decode(Value.self, from: data)
    }
  }

  /// Foundation's decoder and the fast decoder, with the settings of this data set.
  var decoders: [JSONDecoder] {
    let decoders = [JSONDecoder(), FastJSONDecoder()]
    decoders.forEach(configure)
    return decoders
  }
}

extension DataSet {
  static var all: [DataSet] {
    [
      DataSet("issues, 25 of ~100 fields", IssuePage.text, as: [Issue].self, goal: 5),
      DataSet("issues, all ~100 fields", IssuePage.text, as: [FullIssue].self, goal: 4),
      DataSet("issues, 4 fields", IssuePage.text, as: [SparseIssue].self, goal: 6),
      DataSet("issues, ISO 8601 dates", IssuePage.text, as: [DatedIssue].self, goal: 6) {
        $0.dateDecodingStrategy = .iso8601
      },
      DataSet("issues, convertFromSnakeCase", IssuePage.text, as: [CamelIssue].self, goal: 10) {
        $0.keyDecodingStrategy = .convertFromSnakeCase
      },
      DataSet("small object", Documents.small, as: SmallObject.self, goal: 5),
      DataSet("[Double]", Documents.doubles, as: [Double].self, goal: 8),
      DataSet("escapes and non-ASCII", Documents.messages, as: [Message].self, goal: 4),
      DataSet("issues, pretty-printed", IssuePage.prettyText, as: [Issue].self),
      DataSet("[Int]", Documents.integers, as: [Int].self),
    ]
  }
}
