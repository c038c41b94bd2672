import Curlew
import CurlewAsyncHTTPClient
import CurlewJSON
import Documents
import Foundation
import NIOCore
import NIOFoundationCompat

/// Measures the cost of joining the chunks of a body before decoding.
enum JoiningBenchmark {
  static func run(rounds: Int) async throws {
    let server = try Server()
    defer { server.stop() }
    let client = Client(baseURL: try BaseURL("http://127.0.0.1:\(server.port)")) {
      $0.transport = .asyncHTTPClient
    }
    var bodies: [[Data]] = []
    var requests: [Double] = []
    let clock = ContinuousClock()
    for _ in 0..<50 {
      var chunks: [Data] = []
      let start = clock.now
      for try await chunk in try await client.stream(.get("/issues")) {
        chunks.append(chunk)
      }
      requests.append((clock.now - start) / .seconds(1))
      bodies.append(chunks)
    }
    try await AsyncHTTPClientTransport.shutdownShared()
    // In turns, because all buffers together don't fit in the core's cache.
    let buffers = bodies.map { $0.map { ByteBuffer(bytes: $0) } }
    var turn = 0
    func next() -> [ByteBuffer] {
      turn += 1
      return buffers[turn % buffers.count]
    }
    let decoder = FastJSONDecoder()
    let data = Data(IssuePage.text.utf8)
    let timings = try Timings(
      [
        { _ = join(next()) }, { _ = joinOnce(next()) },
        { _ = try decoder.decode([Issue].self, from: data) },
      ], rounds)
    let (joining, once, decoding) = (timings.median(0), timings.median(1), timings.median(2))
    func percent(_ part: Double, _ whole: Double) -> String { (part / whole * 100).text(1) + " %" }
    print(
      """
      Joining a page's chunks (\(bodies.map { Double($0.count) }.median.text(0)), most of \
      \(bodies.joined().map { Double($0.count) }.median.text(0)) B) takes \((joining * 1e6).text(0)) us: \(percent(joining, decoding)) of decoding it with \
      FastJSONDecoder, \(percent(joining, requests.median + decoding)) of the request and the \
      decoding; \((once * 1e6).text(0)) us if each byte were copied once
      """)
  }

  /// Copies like Curlew: each chunk into `Data`, and this to the end of the body.
  private static func join(_ buffers: [ByteBuffer]) -> Data {
    var result = Data()
    for buffer in buffers { result.append(Data(buffer: buffer)) }
    return result
  }

  /// Copies each chunk to its position in a body of known length.
  private static func joinOnce(_ buffers: [ByteBuffer]) -> Data {
    var result = Data(capacity: buffers.reduce(0) { $0 + $1.readableBytes })
    for buffer in buffers { buffer.withUnsafeReadableBytes { result.append(contentsOf: $0) } }
    return result
  }
}
