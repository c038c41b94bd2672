import Foundation
import HTTPTypes

extension OutgoingRequest {
  /// The error of a cache-only call without a stored response.
  var notStored: Client.Error {
    .notSent(
      Client.NotSentFailure(request: description, reason: .notInCache, retryAfter: .zero))
  }
}

extension Client.Error {
  /// Whether the server was not reached, or the request not sent, so that a stored response may be served
  /// instead.
  public var isDisconnection: Bool {
    switch self {
    case .transport(let failure): failure.kind.isRetryable
    case .timeout(let failure): failure.limit != .total
    case .notSent(let failure): failure.reason != .notInCache
    default: false
    }
  }
}

extension HTTPResponse.Status {
  /// Whether a response with this status reflects the resource's current state, so that an older stored
  /// response is outdated.
  var replacesStored: Bool {
    switch code {
    // A 206 is a part, of which `CachePolicy.outdated` compares the validators.
    case 200...205, 207...299, 300...303, 307, 308, 404, 410: true
    default: false
    }
  }
}

extension ResponseBody {
  /// Returns a range of the bytes.
  func part(_ range: ClosedRange<Int64>) -> ResponseBody {
    if let data {
      // The storage may report a wrong size.
      let count = Int(clamping: range.upperBound - range.lowerBound + 1)
      return ResponseBody(data.dropFirst(Int(clamping: range.lowerBound)).prefix(count))
    }
    return ResponseBody {
      var chunks = makeAsyncIterator()
      var offset: Int64 = 0
      return {
        while offset <= range.upperBound, let chunk = try await chunks.next() {
          let first = Swift.max(0, range.lowerBound - offset)
          let end = Swift.min(Int64(chunk.count), range.upperBound - offset + 1)
          offset += Int64(chunk.count)
          if first < end {
            return chunk.dropFirst(Int(first)).prefix(Int(end - first))
          }
        }
        return nil
      }
    }
  }
}
