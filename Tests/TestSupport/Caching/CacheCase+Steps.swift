public import Curlew

extension CacheCase.Step {
  /// Sends a request.
  ///
  /// - Parameters:
  ///   - fields: The request's fields.
  ///   - origin: The origin's reply; without it, the request must not reach the origin.
  ///   - then: The replies to further requests that this request causes.
  ///   - sees: Fields that the origin must get.
  ///   - seesNo: The names of fields that the origin must not get.
  public static func send(
    _ method: String, path: String = "/a", with fields: CacheCase.Fields = [:],
    mode: CacheMode = .standard, account: String? = nil, origin: CacheCase.Reply? = nil,
    then: [CacheCase.Reply] = [], sees: CacheCase.Fields = [:], seesNo: [String] = [],
    _ result: CacheCase.Result
  ) -> Self {
    .send(
      CacheCase.Exchange(
        method: method, path: path, fields: fields, mode: mode, account: account,
        replies: (origin.map { [$0] } ?? []) + then, sees: sees, seesNo: seesNo, result: result))
  }

  /// Sends a `GET` request.
  public static func get(
    path: String = "/a", with fields: CacheCase.Fields = [:], mode: CacheMode = .standard,
    account: String? = nil, origin: CacheCase.Reply? = nil, then: [CacheCase.Reply] = [],
    sees: CacheCase.Fields = [:], seesNo: [String] = [], _ result: CacheCase.Result
  ) -> Self {
    .send(
      "GET", path: path, with: fields, mode: mode, account: account, origin: origin, then: then,
      sees: sees,
      seesNo: seesNo, result)
  }
}

extension CacheCase.Result {
  /// Returns a result from the cache; the body is the first request's body by default.
  public static func hit(
    _ fields: CacheCase.Fields = [:], lacks: [String] = [], age: Int? = nil, status: Int? = nil,
    body: Body = .of(1)
  ) -> Self {
    Self(outcome: .hit, status: status, fields: fields, lacks: lacks, age: age, body: body)
  }

  /// Returns the result of forwarding: the origin's response.
  public static func forwarded(
    _ fields: CacheCase.Fields = [:], lacks: [String] = [], status: Int? = nil
  ) -> Self {
    Self(outcome: .forwarded, status: status, fields: fields, lacks: lacks, body: .own)
  }

  /// Returns a result from the cache, after a 304.
  public static func validated(
    _ fields: CacheCase.Fields = [:], lacks: [String] = [], age: Int? = nil, status: Int? = 200,
    body: Body = .of(1)
  ) -> Self {
    Self(outcome: .validated, status: status, fields: fields, lacks: lacks, age: age, body: body)
  }

  /// Returns a result from the cache, because the origin failed.
  public static func stale(
    _ fields: CacheCase.Fields = [:], lacks: [String] = [], age: Int? = nil, body: Body = .of(1)
  ) -> Self {
    Self(outcome: .stale, fields: fields, lacks: lacks, age: age, body: body)
  }

  /// The origin's response.
  public static var forwarded: Self { forwarded() }
  /// Served from the cache.
  public static var hit: Self { hit() }
  /// Served from the cache, after a 304.
  public static var validated: Self { validated() }
  /// Served from the cache, because the origin failed.
  public static var stale: Self { stale() }
  /// Not served: the request was not sent, and no stored response could be used.
  public static var unavailable: Self { Self(outcome: .unavailable, body: .own) }
  /// An error.
  public static var failed: Self { Self(outcome: .failed, body: .own) }
}
