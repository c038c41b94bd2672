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
    // Three more for `Host`, `Content-Length` and `Accept-Encoding`, which AsyncHTTPClient adds.
    headers.reserveCapacity(fields.count + 3)
    for field in fields { headers.add(name: field.name.rawName, value: field.value) }
    try self.init(
      url: request.url, method: HTTPMethod(rawValue: request.head.method.rawValue),
      headers: headers, body: request.body.map { .data($0) })
  }
}

extension IncomingResponse {
  init(
    _ response: HTTPResponseHead, _ transfer: Transfer, to method: HTTPRequest.Method
  ) throws {
    let body = ResponseBody(Reading(transfer))
    guard 100...999 ~= response.status.code else {
      throw TransferFailure(description: "the answer's status is \(response.status.code)")
    }
    var head = HTTPResponse(status: HTTPResponse.Status(response.status))
    head.headerFields.reserveCapacity(response.headers.count)
    // Seen as it passes: a look-up by name makes a table of all fields.
    var isCoded = false
    for (name, value) in response.headers {
      guard let name = HTTPField.Name(name) else { continue }
      head.headerFields.append(HTTPField(name: name, value: value))
      if name == .contentEncoding { isCoded = ["gzip", "deflate"].contains(value.lowercased()) }
    }
    if isCoded {
      guard method != .head, ![.noContent, .notModified].contains(head.status),
        head.headerFields[.contentLength] != "0"
      else {
        // AsyncHTTPClient takes the missing body of a coded answer for a cut one.
        self.init(head: head, body: ResponseBody())
        return
      }
      head.headerFields[.contentEncoding] = nil
      head.headerFields[.contentLength] = nil
    }
    self.init(head: head, body: body)
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
          throw TransferFailure.describing(error)
        }
      }
    }
  }
}

/// Stops a transfer when nobody can read it any more.
private final class Reading: Sendable {
  let transfer: Transfer

  init(_ transfer: Transfer) {
    self.transfer = transfer
  }

  deinit {
    transfer.stop()
  }
}
