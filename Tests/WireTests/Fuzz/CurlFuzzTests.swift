import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Reads mutated responses with folded lines, padded chunk sizes and bytes that are not UTF-8 with the client and with curl:
/// where the client reads a response, it reads the bytes that curl reads.
@Suite(.enabled(if: Curl.isPossible, "curl is not installed"), .timeLimit(.minutes(180)))
struct CurlFuzzTests {
  /// A response, and whether its bytes were mutated.
  private struct Exchange {
    var bytes: Data
    var isMutated = false
    /// The number of bytes in each piece.
    var piece = Int.max
  }

  private static func exchange(_ number: Int) -> Exchange {
    var random = SeededGenerator(seed: Fuzz.seed() &+ UInt64(number))
    func fold(_ random: inout SeededGenerator) -> String {
      random.pick([" ", "\r\n ", "\r\n\t  ", "\r\n  b\r\n c "])
    }
    var head = random.pick(["", "HTTP/1.1 103 Early Hints\r\nLink: a\(fold(&random))b\r\n\r\n"])
    head += "HTTP/1.1 200 OK\r\n"
    for name in ["X-A", "X-B"] where random.chance(oneIn: 2) {
      head += "\(name):\(fold(&random))a\(fold(&random))\(random.pick(["z", "\u{E5}", ""]))\r\n"
    }
    var body = Data((0..<random.pick([0, 4, 40, 400])).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    if random.chance(oneIn: 2) {
      head += "Transfer-Encoding: chunked\r\n\r\n"
      var chunked = Data()
      while !body.isEmpty {
        let part = body.prefix(random.pick(1...50))
        body = body.dropFirst(part.count)
        let size =
          String(part.count, radix: 16)
          + random.pick(["", " ", "   ", "\t", ";a=b", " ;a=b", "; a = \"b\""])
        chunked += Data("\(size)\r\n".utf8) + part + Data("\r\n".utf8)
      }
      body = chunked + Data("0\(random.pick(["", " "]))\r\n\r\n".utf8)
    } else {
      head += "Content-Length: \(body.count)\r\n\r\n"
    }
    var bytes = Data(head.utf8)
    if random.chance(oneIn: 3) { bytes.replace(Data("\u{E5}".utf8), with: Data([0xE5])) }
    var exchange = Exchange(bytes: bytes + body)
    exchange.piece = random.pick([1, 7, 100, Int.max])
    if random.chance(oneIn: 2) {
      var damage = Corruption(seed: UInt64(number))
      (exchange.bytes, exchange.isMutated) = (damage.applied(to: exchange.bytes), true)
    }
    return exchange
  }

  @Test func `Responses are read as curl reads them`() async throws {
    let count = Fuzz.runs(500, of: 10)
    let folder = FileManager.default.temporaryDirectory.appending(path: "curl-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await withFaultServer { server in
      server.handle { exchange in
        let made = Self.exchange(Int(exchange.path.dropFirst()) ?? 0)
        for start in stride(from: 0, to: made.bytes.count, by: min(made.piece, 1_000)) {
          guard
            (try? await exchange.write(made.bytes.dropFirst(start).prefix(min(made.piece, 1_000))))
              != nil
          else { return }
        }
        try await exchange.close()
      }
      // A process for each: curl stops at some responses (exit status 43).
      let script =
        "for i in $(seq 0 \(count - 1)); do curl -s -m 20 -o '\(folder.path)'/$i \(server.origin)/$i; echo $?; done"
      let codes = try await Process.run(["sh", "-c", script])
      let ends = String(decoding: codes.output, as: UTF8.self).split(separator: "\n")
      try #require(ends.count == count)
      let client = Client(baseURL: server.baseURL) {
        $0.transport = AsyncHTTPClientTransport(proxy: .none)
        $0.limits = .untimed
        $0.redirects = .doNotFollow
      }
      var read = 0
      for number in 0..<count {
        let request = Request<Data>.get("/\(raw: "\(number)")")
        var result = await client.result(of: request)
        let isMutated = Self.exchange(number).isMutated
        // Bytes after the previous response, which arrive when this request was sent, can't be told from its response.
        if result.failure != nil, !isMutated { result = await client.result(of: request) }
        let curl =
          ends[number] == "0"
          ? (try? Data(contentsOf: folder.appending(path: "\(number)"))) ?? Data() : nil
        switch result {
        case .success(let body):
          read += 1
          if curl != body {
            Issue.record(
              "Response \(number): \(body.count) bytes; curl (\(ends[number])): \(curl?.count ?? -1)"
            )
          }
        case .failure(let error):
          if !isMutated {
            Issue.record("Response \(number): \(error); curl (\(ends[number]))")
          }
        }
      }
      #expect(read > count / 2)
    }
  }
}
