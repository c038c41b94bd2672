import Foundation
import HTTPTypes

extension Client.DecodingFailure {
  /// Says where in a response something else was found than its endpoint expects.
  init<Value>(
    _ error: any Error, _ decoding: ResponseDecoding<Value>, from data: Data,
    of request: OutgoingRequest, _ decoder: JSONDecoder
  ) {
    var problem = DecodingProblem(error, isEmpty: data.isEmpty)
    if decoding.isJSON, case DecodingError.dataCorrupted = error, problem.path.isEmpty,
      let number = UnrepresentableNumber(
        in: data, decoding: { _ = try decoding.decode($0, HTTPResponse(status: .ok), decoder) })
    {
      problem = DecodingProblem(number)
    }
    let redact = { (text: String) in request.redaction.redacting(text, secretsOf: request.head) }
    self.init(
      request: request.description,
      type: "\(Value.self)",
      codingPath: redact(problem.place).inOneLine,
      reason: redact(problem.reason).inOneLine,
      excerpt: redact(Self.excerpt(of: data, at: problem.path)).shortened)
  }

  /// The JSON at a path, or as near to it as the JSON goes.
  private static func excerpt(of data: Data, at path: [any CodingKey]) -> String {
    guard var place = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return String(decoding: data.prefix(4_096), as: UTF8.self) }
    for key in path {
      if let object = place as? [String: Any], let next = object[key.stringValue] {
        place = next
      } else if let array = place as? [Any], let index = key.intValue, array.indices ~= index {
        place = array[index]
      } else {
        break
      }
    }
    let json = try? JSONSerialization.data(
      withJSONObject: place, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
    return json.map { String(decoding: $0, as: UTF8.self) } ?? "\(place)"
  }
}
