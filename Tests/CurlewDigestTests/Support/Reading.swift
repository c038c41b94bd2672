import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport

extension Client {
  /// Returns the error of a request that must fail.
  func error(of endpoint: some Endpoint) async -> Client.Error? {
    if case .failure(let error) = await result(of: endpoint) { error } else { nil }
  }
}

extension StubResponse {
  /// Returns a response whose body arrives in pieces.
  static func pieces(
    _ pieces: [String], status: HTTPResponse.Status = .ok, _ fields: HTTPFields
  ) -> StubResponse {
    .responding { _ in
      let body = ResponseBody {
        var rest = pieces[...]
        return { rest.popFirst().map { Data($0.utf8) } }
      }
      return IncomingResponse(head: HTTPResponse(status: status, headerFields: fields), body: body)
    }
  }
}

extension RequestBody {
  /// Returns a body that can be read only once.
  static func once(_ chunks: Data...) -> RequestBody {
    let (stream, pieces) = AsyncStream<Data>.makeStream()
    for chunk in chunks { pieces.yield(chunk) }
    pieces.finish()
    return .stream(once: stream)
  }
}

/// A file in a separate folder, which is removed with it.
final class TemporaryFile: Sendable {
  let url: URL

  init(_ data: Data) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "curlew-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: "file")
    try data.write(to: url)
  }

  deinit {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }
}

/// Changes, inserts and removes bytes of a random sample, for fuzz tests.
func mutated(_ samples: [String], _ random: inout SeededGenerator) -> String {
  var bytes = Array(random.pick(samples).utf8)
  let alphabet = Array(#":;,="- \?@%()*.0123aAzdigest\#t\u{E4}"#.utf8)
  for _ in 0..<random.pick(1...5) {
    let index = random.pick(0...bytes.count)
    switch random.pick(0...3) {
    case 0: bytes.insert(random.pick(alphabet), at: index)
    case 1 where index < bytes.count: bytes[index] = random.pick(alphabet)
    case 2 where index < bytes.count: bytes.remove(at: index)
    default: bytes.insert(contentsOf: bytes[index...], at: index)
    }
    bytes = Array(bytes.prefix(1_000))
  }
  return String(decoding: bytes, as: UTF8.self)
}
