import Curlew
import Foundation
import HTTPTypes
import Synchronization

/// A transport that stores requests unchanged, with unread bodies.
final class KeepingTransport: Transport {
  private let kept = Mutex<[OutgoingRequest]>([])

  var requests: [OutgoingRequest] { kept.withLock { $0 } }

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    kept.withLock { $0.append(request) }
    return IncomingResponse(head: HTTPResponse(status: .noContent), body: ResponseBody(Data()))
  }
}

/// A form's request body, as the client passes it to its transport.
struct PostedForm {
  let contentType: String
  let body: OutgoingBody
  let limits: Limits

  init(_ body: RequestBody) async throws(Client.Error) {
    let transport = KeepingTransport()
    let client = Client(baseURL: "https://api.example.com") {
      $0.transport = transport
      $0.jsonEncoder.keyEncodingStrategy = .convertToSnakeCase
    }
    try await client.send(Request<Void>.post("/upload", body: body))
    let request = transport.requests[0]
    contentType = request.head.headerFields[.contentType] ?? ""
    limits = request.limits
    self.body = request.body ?? OutgoingBody(Data())
  }

  init(_ form: MultipartForm) async throws(Client.Error) {
    try await self.init(.multipart(form))
  }

  var boundary: String { String(contentType.split(separator: "boundary=").last ?? "") }

  /// The text of the body, with `B` as the boundary.
  var text: String {
    get async throws {
      String(decoding: try await body.collect(), as: UTF8.self)
        .replacing(boundary, with: "B")
    }
  }
}

/// A folder that is removed with the last reference to it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "curlew-form-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file into the folder.
  func file(_ name: String, _ data: Data) throws -> URL {
    let file = url.appending(path: name)
    try data.write(to: file)
    return file
  }
}
