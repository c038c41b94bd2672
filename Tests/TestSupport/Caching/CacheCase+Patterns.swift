extension CacheCase {
  /// Returns a case in which a stored response serves a second request.
  ///
  /// - Parameters:
  ///   - fields: The response's fields.
  ///   - request: The second request's fields.
  ///   - wait: The seconds between the requests.
  static func reused(
    _ section: String, _ name: String, _ fields: Fields, request: Fields = [:], status: Int = 200,
    wait: Double = 1, hasDate: Bool = true, maximumOfflineStaleness: Duration = .zero
  ) -> CacheCase {
    CacheCase(
      section, name, maximumOfflineStaleness: maximumOfflineStaleness,
      [
        .get(origin: Reply(status, fields, hasDate: hasDate), .forwarded),
        .wait(wait),
        .get(with: request, .hit(status: status)),
      ])
  }

  /// Returns a case in which a response does not serve a second request, which reaches the origin.
  static func notReused(
    _ section: String, _ name: String, _ fields: Fields, request: Fields = [:], status: Int = 200,
    wait: Double = 1, hasDate: Bool = true, usesHeuristics: Bool = true
  ) -> CacheCase {
    CacheCase(
      section, name, usesHeuristics: usesHeuristics,
      [
        .get(origin: Reply(status, fields, hasDate: hasDate), .forwarded),
        .wait(wait),
        .get(with: request, origin: Reply(status, fields, hasDate: hasDate), .forwarded),
      ])
  }

  /// Returns a case in which a response is stored, but must be validated before it serves a second request.
  static func validated(
    _ section: String, _ name: String, _ fields: Fields, request: Fields = [:],
    notModified: Fields = ["ETag": "\"v1\""], wait: Double = 1
  ) -> CacheCase {
    CacheCase(
      section, name,
      [
        .get(origin: .ok(fields), .forwarded),
        .wait(wait),
        .get(with: request, origin: .notModified(notModified), .validated),
      ])
  }
}
