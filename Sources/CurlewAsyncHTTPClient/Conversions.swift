import AsyncHTTPClient
import Curlew
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

extension HTTPClientRequest {
  init(_ request: OutgoingRequest) {
    self.init(url: request.url)
    method = HTTPMethod(rawValue: request.head.method.rawValue)
    let fields = request.head.headerFields
    // Three more for `Host`, `Content-Length` and `Accept-Encoding`, which AsyncHTTPClient adds.
    headers.reserveCapacity(fields.count + 3)
    for field in fields { headers.add(name: field.name.rawName, value: field.value) }
    if let data = request.body { body = .bytes(ByteBuffer(data: data)) }
  }
}

extension IncomingResponse {
  init(_ response: HTTPClientResponse, to method: HTTPRequest.Method) throws {
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
    self.init(head: head, body: ResponseBody(response.body))
  }
}

extension HTTPResponse.Status {
  fileprivate init(_ status: HTTPResponseStatus) {
    self.init(code: Int(status.code), reasonPhrase: status.reasonPhrase)
  }
}

extension ResponseBody {
  fileprivate init(_ body: HTTPClientResponse.Body) {
    self.init {
      var iterator = body.makeAsyncIterator()
      return {
        do {
          let buffer = try await iterator.next(isolation: #isolation)
          return buffer.map { Data(buffer: $0) }
        } catch {
          throw TransferFailure.describing(error)
        }
      }
    }
  }
}
