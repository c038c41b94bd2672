import TestSupport

#if os(macOS) || os(Linux)
  import Curlew
  import CurlewAsyncHTTPClient
  import CurlewTesting
  import Foundation
  import Testing

  /// Bursts of requests that are cancelled at random moments, each burst together with one request that is not.
  ///
  /// `CURLEW_FUZZ=1` cancels 10,000 requests and checks the memory, too; `CURLEW_SEED` tries other seeds.
  @Suite(
    "Cancelled requests at nginx over HTTP/2",
    .enabled(if: NginxProcess.isExpected, "nginx is not installed"), .timeLimit(.minutes(5)))
  struct NginxCancelTests {
    private static let burst = 50

    @Test func `cancels cost nothing`() async throws {
      let root = try TestCertificate.authority()
      let nginx = try await Nginx(try root.issue(), settings: "")
      let client = try Client.tls(
        nginx.origin, trusting: root,
        configure: { $0.limits = .untimed })
      while (try? await client.send(Request<String>.get("/"))) != "fine", !Task.isCancelled {
        await Task.yield()
      }
      let bursts = Fuzz.size(1_000, full: 10_000) / Self.burst
      var random = SeededGenerator(seed: Fuzz.seed())
      var memory = 0
      for number in 0..<bursts {
        if number == bursts / 5 { memory = Self.memory }
        let innocent = await cancelBurst(client, isTogether: number % 3 == 0, &random)
        #expect(try innocent.get() == "fine")
      }
      let fine = await client.fine(of: 100)
      #expect(fine == 100)
      // Connections that nginx retires after a thousand requests are closed.
      let port = try #require(URL(string: nginx.origin)?.port)
      var sockets = try SocketWatch.connections(to: port)
      while sockets > 1, !Task.isCancelled {
        try await Task.sleep(for: .milliseconds(10))
        sockets = try SocketWatch.connections(to: port)
      }
      #expect(sockets <= 1)
      let growth = Self.memory - memory
      // Other tests of the same process use memory, too.
      if Fuzz.size(0, full: 1) == 1 { #expect(growth < 8_192) }
      await nginx.stop()
    }

    /// Returns the result of the request that is not cancelled.
    private func cancelBurst(
      _ client: Client, isTogether: Bool, _ random: inout SeededGenerator
    ) async -> Result<String, Client.Error> {
      let body = RequestBody.data(Data("0123456789".utf8))
      async let innocent = client.result(of: Request<String>.post("/", body: body))
      let delay = random.pick(0...3_000)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<Self.burst {
          let pause = Duration.microseconds(isTogether ? delay : random.pick(0...3_000))
          let task = Task { await client.result(of: Request<String>.get("/")) }
          group.addTask {
            try? await Task.sleep(for: pause)
            task.cancel()
            _ = await task.value
          }
        }
      }
      return await innocent
    }

    /// The memory of this process in KiB; 0 if it is not known.
    private static var memory: Int {
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
      return line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0
    }
  }
#endif
