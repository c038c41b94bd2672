import TestSupport

#if os(macOS) || os(Linux)
  import Curlew
  import CurlewSQLite
  import CurlewTesting
  import Foundation
  import Testing
  import cache_process

  /// Tests several processes that share a file, and killed processes.
  ///
  /// The runs are few and short unless `CURLEW_FUZZ=1000000` requests long runs.
  @Suite(.timeLimit(.minutes(30)), .serialized)
  struct ProcessTests {
    private static let program = ChildProcess.built("cache-process")

    /// Runs a process to completion; returns how it ended, and its output.
    ///
    /// - Parameter limit: The maximum file size in blocks of 512 bytes, which simulates a full disk.
    private func run(
      _ folder: Folder, _ arguments: [String] = [], limit: Int? = nil
    ) async throws -> (end: ProcessEnd, text: String) {
      // The output is piped through a program without the limit.
      let script = limit.map { #"trap '' XFSZ; (ulimit -f \#($0); exec "$0" "$@") | cat"# }
      let (end, output) = try await Process.run(
        ["sh", "-c", script ?? #"exec "$0" "$@""#, Self.program, folder.file.path] + arguments)
      return (end, String(decoding: output, as: UTF8.self))
    }

    @Test func `killed writers leave whole responses`() async throws {
      var random = SeededGenerator(seed: Fuzz.seed())
      let folder = try Folder()
      for round in 0..<Fuzz.size(4, full: 200) {
        let arguments = [folder.file.path, "\(random.pick(0...1_000_000))", "1000000", "4000000"]
        let (child, _) = try await ChildProcess.start(
          Self.program, arguments, readyWhen: "(ready)")
        usleep(UInt32(random.pick(0...60_000)))
        await child.stop()
        let storage = folder.storage(bytes: 4_000_000)
        let contents = await storage.contents()
        for (key, _) in contents {
          try await expectWhole(storage, key, "round \(round)")
        }
        #expect(await SampleResponse("mine \(round)").store(in: storage) != nil)
        #expect(folder.problems.isEmpty, "\(folder.problems)")
      }
    }

    @Test func `processes share a file under load`() async throws {
      let folder = try Folder()
      try await withThrowingTaskGroup { group in
        for index in 0..<Fuzz.size(2, full: 4) {
          group.addTask {
            let operations = Fuzz.size(1000, full: 60_000)
            return try await run(
              folder, ["\(Int(Fuzz.seed()) + index)", "\(operations)", "4000000"])
          }
        }
        for try await (end, text) in group {
          #expect(text.contains("done: "), "\(text)")
          #expect(!text.contains("problem") && !text.contains("wrong"), "\(text)")
          #expect(end == .success)
        }
      }
      let storage = folder.storage(bytes: 4_000_000)
      for (key, _) in await storage.contents() {
        try await expectWhole(storage, key)
      }
      #expect(folder.problems.isEmpty)
      #expect(folder.size() < 4_600_000)
    }

    @Test func `full disk is reported once and serves what it has`() async throws {
      let folder = try Folder()
      let text = try await run(folder, ["7", "500", "64000000"], limit: 2000).text
      #expect(text.contains("done: "), "\(text)")
      #expect(!text.contains("wrong"), "\(text)")
      #expect(
        text.components(separatedBy: "the response was not stored").count == 2, "\(text)")
      let storage = folder.storage()
      for (key, _) in await storage.contents() {
        try await expectWhole(storage, key)
      }
      #expect(await SampleResponse("a").store(in: storage) != nil)
      #expect(folder.problems.isEmpty)
    }

    /// With the first limit, nothing can be written; with the second, too little.
    @Test(arguments: [0, 200])
    func `what can not be removed is deleted with its file`(limit: Int) async throws {
      let folder = try Folder()
      do {
        let storage = folder.storage()
        for index in 0..<4 { await SampleResponse("\(index)", size: 200_000).store(in: storage) }
      }
      try await folder.emptyLog()
      let text = try await run(folder, limit: limit).text
      #expect(text.contains("left: 0"), "\(text)")
      let result = limit == 0 ? "responses are not stored" : "could not be removed"
      #expect(text.contains(result), "\(text)")
      let storage = folder.storage()
      #expect(await storage.contents().isEmpty)
      #expect(folder.problems.isEmpty)
      #expect(await SampleResponse("new").store(in: storage) != nil)
    }
  }
#endif
