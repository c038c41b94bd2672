import Foundation
import HTTPTypes

/// One call of ``Client/download(_:to:options:onProgress:)``.
struct Download: Sendable {
  typealias Report = @Sendable (TransferProgress) -> Void

  let client: Client
  /// The first attempt's request, which identifies the download in errors.
  let first: OutgoingRequest
  let target: URL
  let options: DownloadOptions
  let report: Report?

  /// Runs the download.
  ///
  /// - Parameter makeRequest: Returns the request for an attempt; its time limits start at the call.
  @concurrent
  func run(
    _ makeRequest: @Sendable () throws(Client.Error) -> OutgoingRequest
  ) async throws(Client.Error) -> DownloadedFile {
    try await first.observed { () async throws(Client.Error) -> DownloadedFile in
      let partial = try openFile()
      do {
        let before = try start(partial)
        let (head, hasBegunAgain) = try await attempt(partial, makeRequest)
        let (resumedFrom, size) = (hasBegunAgain ? 0 : before, try partial.size())
        let file = try partial.finish(
          replaces: options.ifExists == .replace, otherNames: options.ifExists == .keepBoth)
        return DownloadedFile(file: file, size: size, resumedFrom: resumedFrom, head: head)
      } catch {
        partial.removeIfEmpty()
        throw first.failure(error)
      }
    }
  }

  private func openFile() throws(Client.Error) -> PartialFile {
    do {
      try FileSystemError.check(target)
      if let existing = try PartialFile.existing(target.path) {
        if existing == .folder {
          throw FileSystemError(.exists, target.path, reason: "a folder with this name exists")
        }
        if options.ifExists == .fail || options.ifExists == .replace && existing == .device {
          throw PartialFile.exists(target.path)
        }
      }
      return try PartialFile(for: target)
    } catch {
      throw first.failure(error)
    }
  }

  /// Returns the number of bytes to resume from; removes the bytes of another file.
  private func start(_ partial: PartialFile) throws -> Int64 {
    let size = try partial.size()
    guard size > 0 else { return 0 }
    if options.resumes, first.head.method == .get, let record = partial.record(),
      record.key == first.downloadKey, record.validator != nil
    {
      return size
    }
    try partial.begin(PartialFile.Record(key: first.downloadKey))
    return 0
  }

  private func attempt(
    _ partial: PartialFile, _ makeRequest: () throws(Client.Error) -> OutgoingRequest
  ) async throws -> (HTTPResponse, hasBegunAgain: Bool) {
    var (failures, restarts, hasBegunAgain) = (0, 0, false)
    // The maximum size so far: with the size before each attempt, the same bytes could count as progress
    // forever.
    var most = try partial.size()
    while true {
      do {
        if let (head, isWhole) = try await transfer(try makeRequest().continuing(first), partial) {
          return (head, hasBegunAgain || isWhole)
        }
        restarts += 1
        guard restarts < 10 else {
          throw Client.TransportFailure(
            .protocolError,
            reason: "the file on the server changed ten times while it was downloaded")
        }
        try partial.begin(PartialFile.Record(key: first.downloadKey))
      } catch {
        let failure = first.failure(error)
        let size = try partial.size()
        // The server's responses are inconsistent, so none of the bytes can be trusted.
        let isInconsistent = [.protocolError, .digest].contains(failure.transportKind)
        // An attempt that received new bytes is not counted.
        failures = size > most && !isInconsistent ? 0 : failures + 1
        most = max(most, size)
        if isInconsistent {
          hasBegunAgain = true
          try partial.begin(PartialFile.Record(key: first.downloadKey))
        }
        let attempts = options.retryPolicy.attempts
        guard attempts > 1, failures < attempts, first.declaration.isRetryable,
          first.isRepeatable,
          let wait = wait(after: failure, failures)
        else { throw failure }
        // A separate call: the total time of the first call may be over.
        try await makeRequest().continuing(first).wait(
          for: wait, as: .retrying(after: wait, because: .failure(failure)))
      }
    }
  }

  /// Returns the wait before the next attempt; `nil` if the failure is final.
  private func wait(after failure: Client.Error, _ failures: Int) -> Duration? {
    let policy = options.retryPolicy
    let wait = policy.wait(beforeRetry: max(failures, 1))
    switch failure {
    case .transport(let failure): return failure.kind.isRetryable ? wait : nil
    case .timeout: return wait
    case .status(let failure) where policy.retries(failure.response.status.code):
      let asked = policy.requestedWait(failure.response.headerFields) ?? .zero
      return asked > policy.maximumRetryAfter ? nil : max(wait, asked)
    default: return nil
    }
  }

  // MARK: One attempt

  /// Requests the missing bytes and appends them to the file.
  ///
  /// - Returns: The response's head, and whether it had the whole file instead of the missing range;
  ///   `nil` if the existing bytes no longer match the server's file.
  private func transfer(
    _ original: OutgoingRequest, _ partial: PartialFile
  ) async throws -> (HTTPResponse, isWhole: Bool)? {
    let size = try partial.size()
    let record = size > 0 ? partial.record() : nil
    // If no byte is missing, the last byte is requested again: servers reject an empty range.
    let start = record?.total == size ? size - 1 : size
    var request = original
    request.head.headerFields[.acceptEncoding] = "identity"
    request.keepsContentCoding = true
    if let validator = record?.validator {
      request.head.headerFields[.range] = "bytes=\(start)-"
      request.head.headerFields[.ifRange] = validator
      request.checksWhole = true
    }
    let isRanged = record?.validator != nil
    let (response, sent): (IncomingResponse, OutgoingRequest)
    do throws(Client.Error) {
      (response, sent) = try await client.exchange(request, ends: nil) { ($0, $1) }
    } catch {
      // 412 and 416: the range or the validator no longer matches.
      if isRanged, let code = error.status?.code, code == 412 || code == 416 { return nil }
      throw error
    }
    var skipped = 0
    var expected: Int64?
    var total = response.head.headerFields[.contentLength].flatMap { Int64($0) }
    var end = total
    if isRanged, response.head.status == .partialContent {
      guard let range = response.head.headerFields.contentRange, let bytes = range.bytes,
        bytes.lowerBound == start, response.fits(record),
        // A server may send less than the requested range: without a total, the end of the file is
        // unknown.
        let whole = range.total.map({ Int64($0) }) ?? record?.total
      else { return nil }
      (total, end) = (whole, min(whole, Int64(bytes.upperBound) + 1))
      skipped = Int(size - start)
    } else {
      if isRanged, let record, response.hasTag(of: record) { expected = record.total }
      let isShort = expected.flatMap { whole in total.map { $0 != whole } } ?? false
      // Without a `Content-Range`, the field's absence means the whole file (RFC 9110 section 14.4).
      if isRanged, isShort || response.head.headerFields.contentRange?.isWhole == false {
        return nil
      }
      try partial.begin(
        PartialFile.Record(
          key: first.downloadKey, validator: response.validator(of: original), total: total))
    }
    // The limit applies to the whole file; the stream counts only this response's bytes.
    if let total, total > sent.limits.bodySize { throw ResponseBody.TooLong() }
    try await receive(response, to: sent, in: partial, skipping: skipped, total, upTo: end)
    if let expected, try partial.size() != expected {
      throw Client.TransportFailure(
        .protocolError, reason: "the response is shorter than the file with the same ETag")
    }
    if response.head.status == .partialContent { try await response.checkWhole?(partial.location) }
    return (response.head, response.head.status != .partialContent)
  }

  private func receive(
    _ response: IncomingResponse, to request: OutgoingRequest, in partial: PartialFile,
    skipping skipped: Int, _ total: Int64?, upTo end: Int64?
  ) async throws {
    var count = try partial.size()
    var meter = ProgressMeter(completed: count, total: total, now: request.time)
    func reportProgress(_ bytes: Int, isLast: Bool) {
      let progress = meter.add(bytes, isLast: isLast, now: request.time)
      if let progress { report?(progress) }
    }
    var skipped = skipped
    var chunks = StreamedResponse(response, to: request).iterator()
    while var chunk = try await chunks.next() {
      let overlap = min(skipped, chunk.count)
      skipped -= overlap
      chunk.removeFirst(overlap)
      if let end, count + Int64(chunk.count) > end {
        throw Client.TransportFailure(
          .protocolError, reason: "the response is longer than its Content-Length")
      }
      if count + Int64(chunk.count) > request.limits.bodySize { throw ResponseBody.TooLong() }
      try partial.append(chunk)
      count += Int64(chunk.count)
      reportProgress(chunk.count, isLast: false)
    }
    if let total, count < total {
      throw Client.TransportFailure(
        .lost, reason: "the connection was closed before the response was complete")
    }
    reportProgress(0, isLast: true)
  }
}

extension Client.Error {
  /// The kind of a failure of the transport; `nil` for other failures.
  fileprivate var transportKind: Client.TransportFailure.Kind? {
    if case .transport(let failure) = self { failure.kind } else { nil }
  }
}

extension OutgoingRequest {
  fileprivate var isRepeatable: Bool { body?.isRepeatable ?? true }

  /// The identity of a download: a hash, because the URL may contain secrets, which must not be stored in
  /// a file.
  fileprivate var downloadKey: String { StableHash.of("\(head.method) \(url)") }
}

extension IncomingResponse {
  /// Returns the validator with which a range of this response can be requested later (RFC 9110 section
  /// 13.1.5); `nil` if there is none.
  fileprivate func validator(of request: OutgoingRequest) -> String? {
    guard request.head.method == .get, request.head.headerFields[.range] == nil, !isDecoded,
      head.status == .ok
    else { return nil }
    if let tag = head.headerFields[.eTag] { return tag.hasPrefix("\"") ? tag : nil }
    // A date is a strong validator only if it is older than the response (section 8.8.2.2).
    guard let modified = head.headerFields[.lastModified],
      let date = head.headerFields[.date].flatMap({ HTTPDate.date(from: $0) }),
      let since = HTTPDate.date(from: modified), date.timeIntervalSince(since) >= 1
    else { return nil }
    return modified
  }

  /// Returns whether a response has the strong entity tag of a record, and so the same bytes.
  fileprivate func hasTag(of record: PartialFile.Record) -> Bool {
    record.validator?.hasPrefix("\"") == true && record.validator == head.headerFields[.eTag]
  }

  /// Returns whether a partial response belongs to the file that a record describes.
  fileprivate func fits(_ record: PartialFile.Record?) -> Bool {
    guard let record, let range = head.headerFields.contentRange, !isDecoded else { return false }
    if let total = record.total, let now = range.total, total != Int64(now) { return false }
    // A 206 repeats the field that a 200 would have (section 15.3.7).
    let isTag = record.validator?.hasPrefix("\"") == true
    let validator = head.headerFields[isTag ? .eTag : .lastModified]
    return validator == nil || validator == record.validator
  }
}
