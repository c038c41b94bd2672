import AsyncHTTPClient
import Curlew
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

extension HTTPClient.Request {
  /// - Parameters:
  ///   - body: The body, if it is not in memory.
  ///   - route: The route of its connection.
  init(_ request: OutgoingRequest, body: HTTPClient.Body?, on route: Route) throws {
    let fields = request.head.headerFields
    var headers = HTTPHeaders()
    // Three more: AsyncHTTPClient adds `Host` and `Content-Length`, the code below
    // `Accept-Encoding`.
    headers.reserveCapacity(fields.count + 3)
    // AsyncHTTPClient would not wait for the response to `Expect`, and a client need not (RFC 9110 section 10.1.1).
    let isOpaque = fields.contains { $0.isOpaque }
    if isOpaque { headers.add(name: Octets.requestMark, value: "") }
    func text(_ field: HTTPField) -> String {
      isOpaque ? field.withUnsafeBytesOfValue { Octets.text($0) } : field.value
    }
    for field in fields where field.name != .cookie && field.name != .expect {
      headers.add(name: field.name.rawName, value: text(field))
    }
    // `HTTPFields` keeps each cookie in its own field; HTTP/1.1 allows only one field (RFC 6265
    // section 5.4).
    if fields.contains(.cookie) {
      headers.add(name: "Cookie", value: fields[fields: .cookie].map(text).joined(separator: "; "))
    }
    if !headers.contains(name: "Accept-Encoding") {
      // Ranges refer to encoded bytes, and a part of encoded data can't be decoded.
      let codings = headers.contains(name: "Range") ? "identity" : ContentCoding.accepted
      headers.add(name: "Accept-Encoding", value: codings)
    }
    let url =
      route.forwardingProxy.map { WholeURL.prepare(request, &headers, for: $0) } ?? request.url
    try self.init(
      url: url, method: HTTPMethod(rawValue: request.head.method.rawValue),
      headers: headers, body: body ?? request.body?.data.map { .data($0) })
  }
}

extension IncomingResponse {
  init(
    _ response: HTTPResponseHead, _ body: ResponseBody, to request: OutgoingRequest,
    names: FieldNames
  ) throws {
    guard 100...999 ~= response.status.code else {
      throw Client.TransportFailure(
        .protocolError, reason: "the response's status is \(response.status.code)")
    }
    let status = HTTPResponse.Status(
      code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase)
    var head = HTTPResponse(status: status)
    head.headerFields.reserveCapacity(response.headers.count)
    // Found in this loop, because a look-up by name builds an index of all fields.
    var (encoding, transferCoding): (String?, String?)
    var size = 0
    let isOpaque = response.headers.last?.name == Octets.responseMark
    names.forEach(in: response.headers) { name, value in
      let bytes = isOpaque ? Octets.bytes(value) : nil
      head.headerFields.append(
        bytes.map { HTTPField(name: name, value: $0) } ?? HTTPField(name: name, value: value))
      size += name.rawName.utf8.count + value.utf8.count
      switch name {
      case .contentEncoding: encoding = encoding.map { "\($0), \(value)" } ?? value
      case .transferEncoding: transferCoding = transferCoding.map { "\($0), \(value)" } ?? value
      default: break
      }
    }
    // No other coding was requested, and the encoded bytes would be taken for the body (RFC 9112
    // section 6.1).
    // `chunked` twice is a mistake of servers behind frameworks, which apply it once.
    if let transferCoding,
      !transferCoding.lowercased().split(separator: ",", omittingEmptySubsequences: false)
        .allSatisfy({
          ["", "chunked", "identity"].contains($0.trimmingCharacters(in: .whitespaces))
        })
    {
      throw Client.TransportFailure(
        .protocolError, reason: "the response has the transfer coding \(transferCoding.prefix(60))")
    }
    self.init(head: head, body: body)
    fieldsSize = size
    hasOpaqueFields = isOpaque
    httpVersion =
      response.version.major == 1 ? "1.\(response.version.minor)" : "\(response.version.major)"
    if let encoding, !request.keepsContentCoding, request.head.method != .head,
      head.status != .noContent,
      head.status != .notModified
    {
      decode(encoding, of: request)
    }
  }

  /// Decodes the body, and removes the header fields that no longer describe it.
  private mutating func decode(_ encoding: String, of request: OutgoingRequest) {
    do throws(Client.TransportFailure) {
      let accepted = request.head.headerFields[.acceptEncoding]
      guard let coding = try ContentCoding(of: encoding, accepted: accepted) else { return }
      let unknown = ContentCodings(encoding).unknown
      head.headerFields[.contentEncoding] = unknown.isEmpty ? nil : unknown.joined(separator: ", ")
      head.headerFields[.contentLength] = nil
      isDecoded = true
      body = body.decoded(from: coding)
    } catch {
      body = body.unreadable(error)
    }
  }
}

extension ResponseBody {
  /// Creates the body of a transfer whose head has arrived.
  init(of transfer: Transfer, on client: SharedHTTPClient) {
    if let whole = transfer.whole {
      self.init(Data(buffer: whole))
      return
    }
    let reading = Reading(transfer, on: client)
    self.init {
      {
        do {
          return try await reading.transfer.next().map { Data(buffer: $0) }
        } catch {
          throw Client.TransportFailure.describing(error)
        }
      }
    }
  }
}

/// Stops a transfer when its body is released.
private final class Reading: Sendable {
  let transfer: Transfer
  /// Retained, because its release would shut it down and abort the response.
  private let client: SharedHTTPClient

  init(_ transfer: Transfer, on client: SharedHTTPClient) {
    self.transfer = transfer
    self.client = client
  }

  deinit {
    transfer.stop()
  }
}
