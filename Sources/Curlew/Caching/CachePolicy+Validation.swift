import Foundation
import HTTPTypes

extension CachePolicy {
  /// Returns the conditions to validate a stored response (RFC 9111 section 4.3.1), from its entity tag and
  /// its modification date; empty if it has no validators.
  func validation(of stored: StoredResponse) -> HTTPFields {
    var conditions = HTTPFields()
    // A server evaluates conditions only for a success (RFC 9110 section 13.2.1), so a stored error can't be
    // validated.
    guard stored.head.status.kind == .successful else { return conditions }
    let fields = stored.head.headerFields
    if let tag = fields[fields: .eTag].first, EntityTag(tag.value) != nil, !tag.hasLostBytes {
      conditions.append(tag.withUnsafeBytesOfValue { HTTPField(name: .ifNoneMatch, value: $0) })
    }
    // Sent verbatim: the server recognises its own date format, even if it is not quite valid.
    if let modified = fields[.lastModified], HTTPDate.date(from: modified) != nil {
      conditions[.ifModifiedSince] = modified
    }
    return conditions
  }

  /// Returns the stored responses that a 304 validates, updated by it (RFC 9111 sections 3.2 and 4.3.4); empty
  /// if it matches none.
  ///
  /// They keep their ids and bodies. The first is the response to serve.
  ///
  /// - Parameters:
  ///   - stored: The responses under the URL.
  ///   - head: The 304.
  ///   - request: The request, without the cache's own conditions.
  ///   - conditions: The cache's own conditions; empty if the request was sent unchanged.
  func freshened(
    _ stored: [StoredResponse], by head: HTTPResponse, to request: Request,
    conditions: HTTPFields, requestTime: Date, responseTime: Date
  ) -> [StoredResponse] {
    guard head.status == .notModified,
      !request.head.headerFields.cacheControl.restricts("no-store")
    else { return [] }
    // The responses that match the request, the most recent first. Errors are excluded: a 304 replaces a
    // success (RFC 9110 section 13.2.1).
    let candidates = stored.filter {
      $0.head.status.kind == .successful && Self.matches($0, request.head)
    }
    .sorted { Self.isOlder($1, $0) }
    let fields = head.headerFields
    return identified(candidates, by: fields, conditions, now: responseTime).map {
      updated($0, by: head, to: request, requestTime: requestTime, responseTime: responseTime)
    }
  }

  /// Returns the stored responses that the fields of a 304 identify (RFC 9111 section 4.3.4).
  private func identified(
    _ candidates: [StoredResponse], by fields: HTTPFields, _ conditions: HTTPFields, now: Date
  ) -> [StoredResponse] {
    if let tag = fields[.eTag].flatMap({ EntityTag($0) }) {
      let tagged = candidates.filter { candidate in
        guard let own = candidate.head.headerFields[.eTag].flatMap({ EntityTag($0) }) else {
          return false
        }
        return tag.isWeak ? tag.matchesWeakly(own) : tag.matchesStrongly(own)
      }
      return tag.isWeak ? Array(tagged.prefix(1)) : tagged
    }
    if let modified = fields.date(.lastModified, now: now) {
      let same = candidates.first {
        $0.head.headerFields.date(.lastModified, now: now) == modified
      }
      return same.map { [$0] } ?? []
    }
    // Servers need not repeat `Last-Modified`, and some omit the `ETag`: the 304 is then for the response
    // whose validators were sent.
    if !conditions.isEmpty {
      return candidates.first { validation(of: $0) == conditions }.map { [$0] } ?? []
    }
    return candidates.count == 1 && validation(of: candidates[0]).isEmpty ? candidates : []
  }

  /// Returns a stored response with the fields of a newer head (RFC 9111 section 3.2).
  private func updated(
    _ stored: StoredResponse, by head: HTTPResponse, to request: Request, requestTime: Date,
    responseTime: Date
  ) -> StoredResponse {
    var result = stored
    // The fields that describe the stored body stay unchanged.
    let excluded = Self.connectionFields(head.headerFields).union([
      "content-encoding", "content-length", "content-range", "content-type",
    ])
    let new = head.headerFields.filter { !excluded.contains($0.name.canonicalName) }
    // The old `Age` does not apply to the new head.
    result.head.headerFields[.age] = nil
    // In one pass: separate removals take quadratic time.
    let names = Set(new.map(\.name))
    result.head.headerFields.removeAll { names.contains($0.name) }
    for field in new { result.head.headerFields.append(field) }
    if head.headerFields.date(.date, now: responseTime) == nil {
      result.head.headerFields[.date] = HTTPDate.text(of: responseTime)
    }
    // With `Vary: *` it matches no request from now on, with any variant.
    result.variant = Self.variant(of: result.head, to: request.head) ?? [:]
    (result.requestTime, result.responseTime) = (requestTime, responseTime)
    result.isOutdated = false
    return result
  }

  /// Returns the stored responses to `GET` that a response to `HEAD` updates, and the ids of the responses
  /// that it shows to be outdated (RFC 9111 section 4.3.5).
  ///
  /// A stored response is updated if the validators and the length of the new response, if present, equal its
  /// own.
  func freshenedByHead(
    _ stored: [StoredResponse], by head: HTTPResponse, to request: Request, requestTime: Date,
    responseTime: Date
  ) -> (updated: [StoredResponse], outdated: [StoredResponse.ID]) {
    guard request.head.method == .head, head.status == .ok,
      !request.head.headerFields.cacheControl.restricts("no-store"),
      !head.headerFields.cacheControl.restricts("no-store")
    else { return ([], []) }
    var (updated, outdated) = ([StoredResponse](), [StoredResponse.ID]())
    for response in stored
    where Self.matches(response, request.head) && response.head.status == .ok {
      if Self.isSame(response, head.headerFields, length: Self.contentLength(head.headerFields)) {
        updated.append(
          self.updated(
            response, by: head, to: request, requestTime: requestTime, responseTime: responseTime))
      } else {
        outdated.append(response.id)
      }
    }
    return (updated, outdated)
  }

  /// Returns the stored responses that a response which is not stored shows to be outdated, whatever the request's own
  /// conditions and range.
  ///
  /// A success, a redirection, 404 or 410 replaces them (RFC 9111 section 4.3.3); the validators and the length of a
  /// 206 or a 304 are the current ones (RFC 9110 sections 15.3.7 and 15.4.5), and a 412 says that none of the request's
  /// entity tags is (section 13.1.1).
  func outdated(
    _ stored: [StoredResponse], by head: HTTPResponse, to request: Request
  ) -> [StoredResponse] {
    let (fields, code) = (head.headerFields, head.status.code)
    // For a success, `freshenedByHead` compares it.
    if request.head.method == .head, head.status.kind == .successful { return [] }
    let wanted = EntityTag.list(request.head.headerFields[values: .ifMatch]) ?? []
    return stored.filter { response in
      guard Self.matches(response, request.head) else { return false }
      switch code {
      case 206:
        let total = fields[.contentRange]?.split(separator: "/").last.flatMap { Int64($0) }
        return !Self.isSame(response, fields, length: response.isDecoded ? nil : total)
      case 304: return !Self.isSame(response, fields, length: nil)
      case 412:
        let own = response.head.headerFields[.eTag].flatMap { EntityTag($0) }
        return own.map { own in wanted.contains { $0.matchesStrongly(own) } } ?? false
      default: return head.status.replacesStored
      }
    }
  }

  /// Returns whether a response can describe a stored response: whether its validators and the representation's
  /// length, if known, equal the stored response's.
  private static func isSame(
    _ stored: StoredResponse, _ fields: HTTPFields, length: Int64?
  ) -> Bool {
    let own = stored.head.headerFields
    var comparisons: [Bool] = []
    if let tag = fields[.eTag] { comparisons.append(tag == own[.eTag]) }
    if let modified = fields[.lastModified] { comparisons.append(modified == own[.lastModified]) }
    if let length {
      let size = stored.isDecoded || stored.bodySize < 0 ? nil : stored.bodySize
      if let known = contentLength(own) ?? size {
        comparisons.append(length == known)
      } else if comparisons.isEmpty {
        // A length alone that can't be compared proves nothing.
        return false
      }
    }
    return comparisons.allSatisfy { $0 }
  }
}
