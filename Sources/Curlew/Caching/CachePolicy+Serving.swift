import Foundation
import HTTPTypes

extension CachePolicy {
  /// Returns the decision to serve a stored response for a request with its own conditions and range; `nil` if
  /// it can't be served.
  static func serve(
    _ stored: StoredResponse, _ index: Int, _ freshness: Freshness, for request: Request,
    _ reason: CacheReason, validates: Bool
  ) -> Decision? {
    let (age, rest) = (Int(freshness.age), freshness.timeToLive)
    let isGet = request.head.method == .get
    // Conditions and ranges apply only to responses that would be successful (RFC 9110 sections 13.2.1 and
    // 14.2).
    if stored.head.status.kind == .successful,
      isCurrent(request.head.headerFields, stored)
    {
      let status = CacheStatus.hit(age: age, timeToLive: rest, .callerIsCurrent)
      return .notModified(index: index, status: status, validates: validates)
    }
    let status = CacheStatus.hit(age: age, timeToLive: rest, reason)
    guard isGet, request.head.headerFields.contains(.range), stored.head.status == .ok else {
      return .serve(index: index, part: nil, status: status, validates: validates)
    }
    guard let part = part(request.head.headerFields, of: stored) else { return nil }
    return .serve(index: index, part: part, status: status, validates: validates)
  }

  /// Returns whether the request's own conditions show that the caller already has the stored response (RFC
  /// 9111 section 4.3.2).
  private static func isCurrent(_ fields: HTTPFields, _ stored: StoredResponse) -> Bool {
    let (head, now) = (stored.head.headerFields, stored.responseTime)
    // `If-None-Match` takes precedence.
    if fields.contains(.ifNoneMatch) {
      let tags = EntityTag.list(fields[values: .ifNoneMatch])
      if tags == nil { return true }
      guard let own = head[.eTag].flatMap({ EntityTag($0) }) else { return false }
      return tags?.contains { $0.matchesWeakly(own) } ?? false
    }
    guard let since = fields.date(.ifModifiedSince, now: now) else { return false }
    let modified =
      head.date(.lastModified, now: now) ?? head.date(.date, now: now) ?? stored.responseTime
    return modified <= since
  }

  /// Returns the single range of bytes that a request asks for; `nil` if it has several ranges, if the range is
  /// not satisfiable, or if `If-Range` requires the whole body.
  private static func part(_ fields: HTTPFields, of stored: StoredResponse) -> ClosedRange<Int64>? {
    let size = stored.bodySize
    // Ranges refer to the encoded body, which is gone after decoding.
    guard !stored.isDecoded, size > 0, fields[values: .range].count == 1,
      let text = fields[.range], matchesIfRange(fields, stored)
    else { return nil }
    var reader = FieldReader(text)
    guard reader.token().lowercased() == "bytes", reader.take("=") else { return nil }
    reader.skipSpaces()
    let first = reader.number()
    guard reader.take("-") else { return nil }
    let last = reader.number()
    reader.skipSpaces()
    guard reader.isAtEnd else { return nil }
    switch (first, last) {
    case (let first?, let last):
      // An overlong number is not parsed, and must not turn the range into an open range.
      guard last != nil || text.hasSuffix("-"), first < size, first <= last ?? first else {
        return nil
      }
      return Int64(first)...min(size - 1, last.map { Int64($0) } ?? size - 1)
    case (nil, let count?):
      guard text.contains("=-"), count > 0 else { return nil }
      return max(0, size - Int64(count))...(size - 1)
    case (nil, nil): return nil
    }
  }

  /// Returns whether `If-Range` allows a partial response: only for exactly the same representation (RFC 9110
  /// section 13.1.5).
  private static func matchesIfRange(_ fields: HTTPFields, _ stored: StoredResponse) -> Bool {
    guard let condition = fields[.ifRange] else { return true }
    if let tag = EntityTag(condition) {
      return stored.head.headerFields[.eTag].flatMap { EntityTag($0) }?.matchesStrongly(tag)
        ?? false
    }
    let head = stored.head.headerFields
    // A date is a strong validator only if the response was sent at least a second later (RFC 9110 section
    // 8.8.2.2).
    guard let modified = head.date(.lastModified, now: stored.responseTime),
      let date = head.date(.date, now: stored.responseTime), date.timeIntervalSince(modified) >= 1
    else { return false }
    return fields.date(.ifRange, now: stored.responseTime) == modified
  }

  /// Returns the head with which a stored response is served; a part has the head of a 206.
  ///
  /// Its `Age` field is the response's age. If the server just validated the response, only an `Age` field of
  /// the 304 is kept (RFC 9111 sections 4 and 5.1). The fields that `no-cache="…"` lists are included only
  /// after a validation.
  ///
  /// - Parameter isValidated: Whether the server just validated the response.
  func served(
    _ stored: StoredResponse, part: ClosedRange<Int64>?, isValidated: Bool = false, now: Date
  ) -> HTTPResponse {
    var head = stored.head
    if !isValidated {
      head.headerFields[.age] = ageField(of: stored, now: now)
      for name in head.headerFields.cacheControl.noCacheFields {
        if let name = HTTPField.Name(name) { head.headerFields[name] = nil }
      }
    }
    if let part {
      head.status = .partialContent
      head.headerFields[.contentRange] =
        "bytes \(part.lowerBound)-\(part.upperBound)/\(stored.bodySize)"
      head.headerFields[.contentLength] = String(part.count)
    }
    return head
  }

  /// Returns the head of a 304 for a stored response, with the fields of RFC 9110 section 15.4.5 and its `Age`.
  func notModified(_ stored: StoredResponse, now: Date) -> HTTPResponse {
    var head = HTTPResponse(status: .notModified)
    let names: [HTTPField.Name] = [
      .cacheControl, .contentLocation, .date, .eTag, .expires, .lastModified, .vary,
    ]
    for field in stored.head.headerFields where names.contains(field.name) {
      head.headerFields.append(field)
    }
    head.headerFields[.age] = ageField(of: stored, now: now)
    return head
  }

  private func ageField(of stored: StoredResponse, now: Date) -> String {
    String(Int(age(of: stored, now: now)))
  }
}
