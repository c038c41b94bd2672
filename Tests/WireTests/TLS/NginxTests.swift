import TestSupport

#if os(macOS) || os(Linux)
  import Curlew
  import CurlewAsyncHTTPClient
  import CurlewTesting
  import Foundation
  import Synchronization
  import Testing

  @Suite(
    "nginx over HTTP/2", .enabled(if: NginxProcess.isExpected, "nginx is not installed"),
    .timeLimit(.minutes(3)))
  struct NginxTests {
    let root: TestCertificate

    init() throws {
      root = try .authority()
    }

    /// Waits until nginx listens.
    private func waitUntilUp(_ client: Client) async {
      while !Task.isCancelled {
        if (try? await client.send(Request<String>.get("/"))) == "fine" { return }
        await Task.yield()
      }
    }

    /// Sends concurrent requests, every sixth a POST with a body; returns the failures.
    private func lost(of count: Int, _ settings: String) async throws -> [String] {
      let nginx = try await Nginx(try root.issue(), settings: settings)
      // Thousands of concurrent requests take as long as the machine needs.
      let client = try Client.tls(
        nginx.origin, trusting: root,
        configure: { ($0.limits.connect, $0.limits.firstByte, $0.limits.total) = (nil, nil, nil) })
      await waitUntilUp(client)
      let lost = await withTaskGroup(of: String?.self) { group in
        for number in 0..<count {
          let request =
            number.isMultiple(of: 6)
            ? Request<String>.post("/\(number)", body: .data(Data("0123456789".utf8)))
            : .get("/\(number)")
          group.addTask {
            switch await client.result(of: request) {
            case .success(let text): text == "fine" ? nil : text
            case .failure(let error): "\(error)"
            }
          }
        }
        return await group.reduce(into: [String]()) { if let text = $1 { $0.append(text) } }
      }
      await nginx.stop()
      return lost
    }

    @Test func `no request is lost when connections serve a hundred`() async throws {
      let lost = try await lost(of: Fuzz.size(1_200, full: 12_000), "keepalive_requests 100;")
      #expect(lost.isEmpty, "\(lost.count) lost, such as \(lost.prefix(3))")
    }

    /// The header list arrives in several frames.
    @Test func `header list that is too long is too large`() async throws {
      let field = "add_header X-Long \(String(repeating: "a", count: 3_000));"
      let fields = String(repeating: field, count: 10)
      let nginx = try await Nginx(
        try root.issue(), settings: "location /x { \(fields) return 200; }")
      let client = try Client.tls(nginx.origin, trusting: root)
      await waitUntilUp(client)
      for _ in 0..<3 {
        let failure = try await client.tooLarge(of: Request<String>.get("/x"))
        #expect(failure.limit == .headerSize)
        #expect(try await client.send(Request<String>.get("/")) == "fine")
      }
      await nginx.stop()
    }

    @Test func `no request is lost with defaults`() async throws {
      let lost = try await lost(of: 3_000, "")
      #expect(lost.isEmpty, "\(lost.count) lost, such as \(lost.prefix(3))")
    }
  }
#endif
