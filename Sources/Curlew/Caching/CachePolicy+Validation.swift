package import Foundation
package import HTTPTypes

extension CachePolicy {
  /// Returns the conditions that ask the server whether a stored response is still current (RFC 9111 section
  /// 4.3.1): its entity tag and its date; none if it has no validators.
  package func validation(of stored: StoredResponse) -> HTTPFields {
    var conditions = HTTPFields()
    // A server evaluates conditions only where it would send a success, which an error must not stand for
    // (RFC 9110 section 13.2.1).
    guard stored.head.status.kind == .successful else { return conditions }
    let fields = stored.head.headerFields
    if let tag = fields[.eTag], EntityTag(tag) != nil { conditions[.ifNoneMatch] = tag }
    // The server knows its own form of a date again, even if it is not quite valid.
    if let modified = fields[.lastModified], HTTPDate.date(from: modified) != nil {
      conditions[.ifModifiedSince] = modified
    }
    return conditions
  }

  /// Returns the stored responses that a 304 validates, updated by it (RFC 9111 sections 3.2 and 4.3.4); none
  /// if it is for none of them.
  ///
  /// They keep their ids and bodies. The first is the one to serve.
  ///
  /// - Parameters:
  ///   - stored: The responses under the URL.
  ///   - head: The 304.
  ///   - request: The request, without the cache's own conditions.
  ///   - conditions: The cache's own conditions; none if the request was sent as it is.
  package func freshened(
    _ stored: [StoredResponse], by head: HTTPResponse, to request: Request,
    conditions: HTTPFields, requestTime: Date, responseTime: Date
  ) -> [StoredResponse] {
    guard head.status == .notModified,
      !request.head.headerFields.cacheControl.restricts("no-store")
    else { return [] }
    // Those that could have been chosen for the request, the most recent first. An error is not among them: a
    // 304 comes instead of a success (RFC 9110 section 13.2.1).
    let candidates = stored.filter {
      $0.head.status.kind == .successful && Self.matches($0, request.head)
    }
    .sorted { Self.isOlder($1, $0) }
    let fields = head.headerFields
    return identified(candidates, by: fields, conditions, now: responseTime).map {
      updated($0, by: head, to: request, requestTime: requestTime, responseTime: responseTime)
    }
  }

  /// Returns those of the stored responses that the fields of a 304 identify (RFC 9111 section 4.3.4).
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
    // Servers need not repeat `Last-Modified`, and some forget the tag: it is for what we asked about.
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
    // What describes the stored body stays as it is.
    let excluded = Self.connectionFields(head.headerFields).union([
      "content-encoding", "content-length", "content-range", "content-type",
    ])
    let new = head.headerFields.filter { !excluded.contains($0.name.canonicalName) }
    // The age of the old response says nothing about the new one.
    result.head.headerFields[.age] = nil
    // All at once: one after the other takes time with the square of their number.
    let names = Set(new.map(\.name))
    result.head.headerFields.removeAll { names.contains($0.name) }
    for field in new { result.head.headerFields.append(field) }
    if head.headerFields.date(.date, now: responseTime) == nil {
      result.head.headerFields[.date] = HTTPDate.text(of: responseTime)
    }
    // `Vary: *` matches nothing from now on, whatever the variant is.
    result.variant = Self.variant(of: result.head, to: request.head) ?? [:]
    (result.requestTime, result.responseTime) = (requestTime, responseTime)
    result.isOutdated = false
    return result
  }

  /// What a response to `HEAD` means for the stored responses to `GET` (RFC 9111 section 4.3.5): those that it
  /// updates, and the ids of those that it shows to be out of date.
  ///
  /// A response is updated if none of the validators and lengths that the new one has differs from its own.
  package func freshenedByHead(
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
      if Self.isSame(response, head.headerFields) {
        updated.append(
          self.updated(
            response, by: head, to: request, requestTime: requestTime, responseTime: responseTime))
      } else {
        outdated.append(response.id)
      }
    }
    return (updated, outdated)
  }

  /// Returns whether the fields of a response to `HEAD` can be those of a stored response: whether all
  /// validators and the length that they have are the same.
  private static func isSame(_ stored: StoredResponse, _ fields: HTTPFields) -> Bool {
    let own = stored.head.headerFields
    var comparisons: [Bool] = []
    if let tag = fields[.eTag] { comparisons.append(tag == own[.eTag]) }
    if let modified = fields[.lastModified] { comparisons.append(modified == own[.lastModified]) }
    if let length = contentLength(fields) {
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
