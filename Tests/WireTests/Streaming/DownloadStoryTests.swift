import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Downloads over randomly failing connections: in the end the file is complete, or there is none.
@Suite("Downloads over bad connections", .timeLimit(.minutes(10)))
struct DownloadStoryTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "stories-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static func fault(using random: inout SeededGenerator, _ size: Int) -> RangeServer.Fault {
    let spot = Int.random(in: 0...size, using: &random)
    return switch Int.random(in: 0..<12, using: &random) {
    case 0...2: .cut(spot)
    case 3, 4: .reset(spot)
    case 5: .stall(spot)
    case 6: .changed
    case 7: .shrunk
    case 8: .wrongStart
    case 9: .wrongTotal
    case 10: .status([412, 416, 500, 503, 404].randomElement(using: &random)!)
    default: [.ignoresRanges, .otherTag].randomElement(using: &random)!
    }
  }

  @Test func `the file is whole or not there`() async throws {
    let outcomes = Mutex<[String: Int]>([:])
    for story in 0..<Fuzz.size(20, full: 200) {
      var random = SeededGenerator(seed: Fuzz.seed() &+ UInt64(story))
      let size = Int.random(in: 0...200_000, using: &random)
      let content = Data((0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) })
      let server = RangeServer(content) { state in
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          state.faults.append(Self.fault(using: &random, size))
        }
        state.hasTag = Int.random(in: 0..<4, using: &random) > 0
        state.hasDate = Bool.random(using: &random)
        state.isChunked = Int.random(in: 0..<3, using: &random) == 0
      }
      let file = folder.appending(path: "story \(story)")
      try await withTestServer {
        try await server.respond($0)
      } _: { faults in
        let outcome = try await tell(file, server, faults, &random)
        outcomes.withLock { $0[outcome, default: 0] += 1 }
      }
    }
    // At least one story succeeded.
    let seen = outcomes.withLock { $0 }
    #expect(seen["whole", default: 0] > 0, "\(seen)")
  }

  /// Repeats calls until the download succeeds; at most 12 calls.
  private func tell(
    _ file: URL, _ server: RangeServer, _ faults: TestServer, _ random: inout SeededGenerator
  ) async throws -> String {
    let clock = TestClock()
    let client = try TransportUnderTest.asyncHTTPClient.client(faults) { $0.clock = clock }
    var options = DownloadOptions()
    options.retryPolicy.random = { 0 }
    options.retryPolicy.attempts = Int.random(in: 1...3, using: &random)
    for call in 0..<12 {
      // Not in every call: a download that is cancelled early sends no request.
      let cancelsAt = call.isMultiple(of: 3) ? Int.random(in: 0...200_000, using: &random) : .max
      let result = await download(client, file, options, clock, cancelsAt: cancelsAt)
      let isThere = FileManager.default.fileExists(atPath: file.path)
      switch result {
      case .success(let downloaded):
        let found = try Data(contentsOf: file)
        #expect(found == server.content, "seed \(Fuzz.seed()), \(file.lastPathComponent)")
        #expect(downloaded.size == Int64(found.count))
        return "whole"
      case .failure: #expect(!isThere, "\(file.lastPathComponent)")
      }
    }
    return "failed"
  }

  private func download(
    _ client: Client, _ file: URL, _ options: DownloadOptions, _ clock: TestClock, cancelsAt: Int
  ) async -> Result<DownloadedFile, Client.Error> {
    let isLong = Gate()
    let task = Task { () async -> Result<DownloadedFile, Client.Error> in
      do throws(Client.Error) {
        return .success(
          try await client.download(Request<Data>.get("/file"), to: file, options: options) {
            if $0.completed >= cancelsAt { isLong.open() }
          })
      } catch {
        return .failure(error)
      }
    }
    // Advances the clock while the transfer stalls.
    let time = Task {
      while !Task.isCancelled {
        try? await ContinuousClock().sleep(for: .milliseconds(20))
        clock.advance(by: .seconds(6))
        if isLong.isOpen { task.cancel() }
      }
    }
    defer { time.cancel() }
    return await task.value
  }
}
