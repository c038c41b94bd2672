import AsyncHTTPClient
import Curlew
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

extension HTTPClient.Request {
  init(_ request: OutgoingRequest) throws {
    let fields = request.head.headerFields
    var headers = HTTPHeaders()
    // Two more for `Host` and `Content-Length`, which AsyncHTTPClient adds, and one of ours.
    headers.reserveCapacity(fields.count + 3)
    for field in fields where field.name != .cookie {
      headers.add(name: field.name.rawName, value: field.value)
    }
    // `HTTPFields` keeps each cookie in a field of its own, of which HTTP/1.1 allows one (RFC 6265
    // section 5.4).
    if let cookies = fields[.cookie] { headers.add(name: "Cookie", value: cookies) }
    if !headers.contains(name: "Accept-Encoding") {
      // Ranges count coded bytes, of which a part can't be undone.
      let codings = headers.contains(name: "Range") ? "identity" : ContentCoding.accepted
      headers.add(name: "Accept-Encoding", value: codings)
    }
    try self.init(
      url: request.url, method: HTTPMethod(rawValue: request.head.method.rawValue),
      headers: headers, body: request.body.map { .data($0) })
  }
}

extension IncomingResponse {
  init(
    _ response: HTTPResponseHead, _ reading: Reading, to request: OutgoingRequest
  ) throws {
    let body = ResponseBody(reading)
    guard 100...999 ~= response.status.code else {
      throw TransportError(
        .protocolError, reason: "the response's status is \(response.status.code)")
    }
    var head = HTTPResponse(status: HTTPResponse.Status(response.status))
    head.headerFields.reserveCapacity(response.headers.count)
    // Seen as it passes: a look-up by name makes a table of all fields.
    var encoding: String?
    for (name, value) in response.headers {
      guard let name = HTTPField.Name(name) else { continue }
      head.headerFields.append(HTTPField(name: name, value: value))
      if name == .contentEncoding { encoding = encoding.map { "\($0), \(value)" } ?? value }
    }
    self.init(head: head, body: body)
    if let encoding, request.head.method != .head, head.status != .noContent,
      head.status != .notModified
    {
      undo(ContentCodings(encoding), of: request)
    }
  }

  /// Undoes the codings of the body, and takes back what is not true of it any more.
  private mutating func undo(_ codings: ContentCodings, of request: OutgoingRequest) {
    let accepted = request.head.headerFields[.acceptEncoding]
    if let fault = codings.fault(accepted: accepted) {
      body = body.unreadable(TransportError(.contentCoding, reason: fault))
      return
    }
    head.headerFields[.contentEncoding] =
      codings.left.isEmpty ? nil : codings.left.joined(separator: ", ")
    if codings.undone.isEmpty { return }
    head.headerFields[.contentLength] = nil
    // Of an error's body, some is kept whatever the limit.
    let limit = max(request.limits.bodySize, Client.StatusFailure.keptBytes)
    body = body.undoing(codings.undone, upTo: limit)
  }
}

extension HTTPResponse.Status {
  fileprivate init(_ status: HTTPResponseStatus) {
    self.init(code: Int(status.code), reasonPhrase: status.reasonPhrase)
  }
}

extension ResponseBody {
  fileprivate init(_ reading: Reading) {
    self.init {
      {
        do {
          return try await reading.transfer.next().map { Data(buffer: $0) }
        } catch {
          throw TransportError.describing(error)
        }
      }
    }
  }
}

/// Stops a transfer when nobody can read it any more.
final class Reading: Sendable {
  let transfer: Transfer
  /// Would shut down, and cut the response, if the caller let go of it before the end.
  private let client: SharedHTTPClient?

  init(_ transfer: Transfer, on client: SharedHTTPClient?) {
    self.transfer = transfer
    self.client = client
  }

  deinit {
    transfer.stop()
  }
}
