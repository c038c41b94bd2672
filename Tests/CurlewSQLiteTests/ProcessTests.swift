import TestSupport

#if os(macOS) || os(Linux)
  import Curlew
  import CurlewSQLite
  import CurlewTesting
  import Foundation
  import Testing

  @testable import cache_process

  /// Several processes on one file, and processes that are killed; few and short ones unless long runs are
  /// asked for: `CURLEW_FUZZ=1000000`.
  @Suite(.timeLimit(.minutes(30)), .serialized)
  struct ProcessTests {
    /// Where the tests are built.
    private static let program: URL = {
      let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
      let folder = tests ?? URL(filePath: CommandLine.arguments[0])
      return folder.deletingLastPathComponent().appending(path: "cache-process")
    }()

    /// A process that uses a file.
    private final class Child {
      private let process = Process()
      private let output = Pipe()

      convenience init(
        _ folder: Folder, seed: Int, seconds: Double, bytes: Int, limit: Int? = nil
      ) throws {
        try self.init(folder, ["\(seed)", "\(seconds)", "\(bytes)"], limit: limit)
      }

      init(_ folder: Folder, _ arguments: [String], limit: Int?) throws {
        // A limit of the size of files, in blocks of 512 bytes, is what a full disk is.
        process.executableURL = URL(filePath: "/bin/sh")
        let limited = limit.map { "trap '' XFSZ; ulimit -f \($0); " } ?? ""
        process.arguments =
          ["-c", limited + #"exec "$0" "$@""#, ProcessTests.program.path, folder.file.path]
          + arguments
        process.standardOutput = output
        try process.run()
      }

      /// Waits until something is stored.
      func ready() { _ = output.fileHandleForReading.availableData }

      func kill() async {
        Foundation.kill(process.processIdentifier, SIGKILL)
        _ = await process.end()
      }

      /// Waits for the end; returns how it ended and what it printed.
      ///
      /// Its last line is awaited, not the end of the pipe, which another child may hold open. It can't be a
      /// file: a limit of the size of files would hold for it, too.
      func end() async -> (end: ProcessEnd, text: String) {
        var text = ""
        while !text.contains("done: "), !text.contains("left: ") {
          let data = output.fileHandleForReading.availableData
          guard !data.isEmpty else { break }
          text += String(decoding: data, as: UTF8.self)
        }
        return (await process.end(), text)
      }
    }

    @Test func killedWritersLeaveWholeResponses() async throws {
      var random = SeededGenerator(seed: Fuzz.seed())
      try await withFolder { folder in
        for round in 0..<Fuzz.size(4, full: 200) {
          let child = try Child(
            folder, seed: Int.random(in: 0...1_000_000, using: &random), seconds: 60,
            bytes: 4_000_000)
          child.ready()
          usleep(UInt32(random.pick(0...60_000)))
          await child.kill()
          let storage = folder.storage(bytes: 4_000_000)
          let contents = await storage.contents()
          for (key, _) in contents {
            try await expectWhole(storage, key, "round \(round)")
          }
          #expect(await SampleResponse("mine \(round)").store(in: storage) != nil)
          #expect(folder.problems.isEmpty, "\(folder.problems)")
        }
      }
    }

    @Test func processesShareAFileUnderLoad() async throws {
      try await withFolder { folder in
        let children = try (0..<Fuzz.size(2, full: 4)).map { index in
          try Child(
            folder, seed: Int(Fuzz.seed()) + index, seconds: Double(Fuzz.size(1, full: 60)),
            bytes: 4_000_000)
        }
        for child in children {
          let (end, text) = await child.end()
          #expect(text.contains("done: "), "\(text)")
          #expect(!text.contains("problem") && !text.contains("wrong"), "\(text)")
          #expect(end == .success)
        }
        let storage = folder.storage(bytes: 4_000_000)
        for (key, _) in await storage.contents() {
          try await expectWhole(storage, key)
        }
        #expect(folder.problems.isEmpty)
        #expect(folder.size() < 4_600_000)
      }
    }

    @Test func fullDiskIsReportedOnceAndServesWhatItHas() async throws {
      try await withFolder { folder in
        let child = try Child(folder, seed: 7, seconds: 0.5, bytes: 64_000_000, limit: 2000)
        let text = await child.end().text
        #expect(text.contains("done: "), "\(text)")
        #expect(!text.contains("wrong"), "\(text)")
        #expect(
          text.components(separatedBy: "what does not fit is not stored").count == 2, "\(text)")
        let storage = folder.storage()
        for (key, _) in await storage.contents() {
          try await expectWhole(storage, key)
        }
        #expect(await SampleResponse("a").store(in: storage) != nil)
        #expect(folder.problems.isEmpty)
      }
    }

    /// Nothing can be written with the first limit, and not enough with the other one.
    @Test(arguments: [0, 200])
    func whatCanNotBeRemovedIsDeletedWithItsFile(limit: Int) async throws {
      try await withFolder { folder in
        do {
          let storage = folder.storage()
          for index in 0..<4 { await SampleResponse("\(index)", size: 200_000).store(in: storage) }
        }
        try await folder.emptyLog()
        let text = try await Child(folder, [], limit: limit).end().text
        #expect(text.contains("left: 0"), "\(text)")
        #expect(text.contains(limit == 0 ? "nothing is stored" : "had to be removed"), "\(text)")
        let storage = folder.storage()
        #expect(await storage.contents().isEmpty)
        #expect(folder.problems.isEmpty)
        #expect(await SampleResponse("new").store(in: storage) != nil)
      }
    }
  }
#endif
