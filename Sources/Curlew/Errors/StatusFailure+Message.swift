import Foundation

extension Client.StatusFailure {
  /// The keys of messages, without separators, in order of preference: of GitHub, TMDB, AWS Lambda, VK, FastAPI and
  /// GoTrue, RFC 9457, OAuth, Telegram, Vapor and Elasticsearch, OData's `value` within `message`.
  private static let texts = [
    "message", "statusmessage", "errormessage", "errormsg", "msg", "detail", "errordescription",
    "description", "reason",
    "title", "value",
  ]

  /// The keys of errors that contain messages: common ones, then of Jira, Django, Symfony, marshmallow and Apigee.
  private static let errors = [
    "error", "errors", "errormessages", "nonfielderrors", "violations", "messages", "fault",
    "faultstring",
  ]

  /// Returns the API's error message in a body, in the shapes of common APIs and frameworks; of several, the first.
  static func message(in body: Data) -> String? {
    (try? JSONSerialization.jsonObject(with: body)).flatMap { message(in: $0) }
  }

  /// - Parameter hasFields: Whether the keys of an object may be names of fields, with their errors as values.
  private static func message(in json: Any, hasFields: Bool = false, depth: Int = 0) -> String? {
    guard depth < 5 else { return nil }
    if let text = json as? String { return text.isEmpty ? nil : text }
    if let list = json as? [Any] { return list.first.flatMap { message(in: $0, depth: depth + 1) } }
    guard let object = json as? [String: Any] else { return nil }
    let members = object.sorted { $0.key < $1.key }
    let named = Dictionary(members.map { ($0.key.lowercased().filter(\.isLetter), $0.value) }) {
      first, _ in first
    }
    for key in texts + errors {
      let text = named[key].flatMap {
        message(in: $0, hasFields: errors.contains(key), depth: depth + 1)
      }
      if let text { return text }
    }
    // Rails' and Django's errors by field: `{"email": ["has already been taken"]}`.
    guard members.allSatisfy({ $0.value is [String] || hasFields && $0.value is String }) else {
      return nil
    }
    return members.lazy.compactMap { message(in: $0.value, depth: depth + 1) }.first
  }
}
