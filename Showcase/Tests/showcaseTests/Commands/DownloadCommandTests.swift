import Foundation
import ShowcaseTestSupport
import Synchronization
import Testing
import showcase

/// `showcase download` in a script and on a terminal.
@Suite(.timeLimit(.minutes(5)))
struct DownloadCommandTests {
  /// Runs a closure with a server of a file, and an empty folder.
  private func withServer(
    stallingAfter stall: Int? = nil, pieces: Int? = nil,
    _ body: (FileServer, _ url: String, _ folder: URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = FileServer(stallingAfter: stall, pieces: pieces)
    let url = try await server.start()
    do {
      try await body(server, url, folder)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func files(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `file is named like the URL and its size is printed`() async throws {
    try await withServer { _, url, folder in
      let outcome = try await Command.succeed("download", url, "--output", folder.path)
      let file = folder.appending(path: "file.bin")
      #expect(try Data(contentsOf: file) == FileServer.bytes)
      #expect(outcome.output == "\(file.path): 3.0 MB\n")
      #expect(outcome.error == "", "no bar where there is no terminal")
      #expect(try files(in: folder) == ["file.bin"])
    }
  }

  @Test func `file that exists is kept unless forced`() async throws {
    try await withServer { server, url, folder in
      let file = folder.appending(path: "a.bin")
      try Data("mine".utf8).write(to: file)
      let outcome = try await Command.run("download", url, "--output", file.path)
      #expect(outcome.status == 74)
      #expect(outcome.complaints.count == 1)
      #expect(outcome.error.contains("--force"))
      #expect(try Data(contentsOf: file) == Data("mine".utf8))
      #expect(server.requests.isEmpty)

      try await Command.succeed("download", url, "--output", file.path, "--force")
      #expect(try Data(contentsOf: file) == FileServer.bytes)
    }
  }

  @Test(.enabled(if: Command.canBeShells))
  func `interrupted download goes on where it was`() async throws {
    try await withServer(stallingAfter: 2_000_000) { server, url, folder in
      // The process ID or the output may arrive first.
      let state = Mutex((number: Int32?.none, isHalf: false))
      @Sendable func interrupt(_ change: (inout (number: Int32?, isHalf: Bool)) -> Void) {
        let number = state.withLock { state in
          change(&state)
          return state.isHalf ? state.number : nil
        }
        if let number { kill(number, SIGINT) }
      }
      let (outcome, screen) = try await ProgressCommandTests().run(
        ["download", url, "--output", folder.path], isShells: true,
        onText: { text in
          if text.contains(/\[=+ *\] \d[^\r]* of 3\.0 MB/) { interrupt { $0.isHalf = true } }
        }, onStart: { number in interrupt { $0.number = number } })
      #expect(!outcome.isExit)
      #expect(!screen.contains("\n"))
      let left = try files(in: folder)
      #expect(!left.contains("file.bin") && !left.isEmpty, "only under another name")

      let again = try await Command.succeed("download", url, "--output", folder.path)
      #expect(again.output.contains(/: 3\.0 MB, .* of them downloaded before\n/))
      #expect(server.requests.count == 2)
      #expect(server.requests[1].hasPrefix("bytes="))
      #expect(try Data(contentsOf: folder.appending(path: "file.bin")) == FileServer.bytes)
      #expect(try files(in: folder) == ["file.bin"])
    }
  }

  /// Kills the process repeatedly at random times: it leaves only a partial file with another name,
  /// and the last run completes the file.
  @Test func `killed processes leave nothing partial`() async throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    for _ in 0..<Fuzz.size(2, full: 40) {
      try await withServer(pieces: 20_000) { server, url, folder in
        let (file, part) = (
          folder.appending(path: "file.bin"), folder.appending(path: ".file.bin.download")
        )
        var size = 0
        for _ in 0..<4 {
          size = Int.random(in: size...FileServer.bytes.count, using: &random)
          let watch = Mutex(Task<Void, any Error>?.none)
          let outcome = try await Command.run(
            ["download", url, "--output", folder.path],
            onStart: { [size] number in
              let task = Task {
                while true {
                  let attributes = try? FileManager.default.attributesOfItem(atPath: part.path)
                  if attributes?[.size] as? Int ?? 0 >= size { kill(number, SIGKILL) }
                  try await Task.sleep(for: .milliseconds(1))
                }
              }
              watch.withLock { $0 = task }
            })
          watch.withLock { $0 }?.cancel()
          guard FileManager.default.fileExists(atPath: file.path) else { continue }
          // The process ended before the kill, or was killed after the last step.
          #expect(try Data(contentsOf: file) == FileServer.bytes)
          if outcome.isExit { return }
          try FileManager.default.removeItem(at: file)
          size = 0
        }
        try await Command.succeed("download", url, "--output", folder.path)
        #expect(try Data(contentsOf: file) == FileServer.bytes)
        #expect(try files(in: folder) == ["file.bin"])
        #expect(server.requests.count > 1)
      }
    }
  }

  @Test func `errors are sentences and statuses`() async throws {
    try await withServer { _, url, folder in
      let missing = try await Command.run("download", url + "x", "--output", folder.path)
      #expect(missing.status == 69)
      #expect(missing.complaints.count == 1)
      #expect(try files(in: folder).isEmpty)
      let nowhere = try await Command.run("download", url, "--output", folder.path + "/no/a.bin")
      #expect(nowhere.status == 74)
    }
  }

  @Test(arguments: ["", "a", "ftp://a.example/b", "file:///etc/passwd", "http://", "//a.example/b"])
  func `what is no address is bad usage`(url: String) async throws {
    let outcome = try await Command.run("download", url)
    #expect(outcome.status == 64)
    #expect(outcome.output == "")
  }

  @Test(arguments: [
    ("https://a.example/b/map.zip?x=1", "map.zip"), ("https://a.example/", "download"),
    ("https://a.example", "download"), ("https://a.example/b%20c", "b c"),
    ("https://a.example/..%2F..%2Fetc%2Fpasswd", "etc-passwd"),
    ("https://a.example/.bashrc", "bashrc"),
    ("https://a.example/-rf", "rf"), ("https://a.example/..", "download"),
    ("https://a.example/a%1B%5B2J", "a\u{FFFD}[2J"),
  ])
  func `name of a file leads nowhere else`(url: String, name: String) {
    #expect(DownloadCommand.name(of: url) == name)
  }

  @Test(arguments: [
    String(repeating: "%E7%95%AA", count: 99), String(repeating: "e%CC%81%CC%82", count: 100),
  ])
  func `name of a file is not too long`(path: String) {
    let name = DownloadCommand.name(of: "https://a.example/\(path)")
    #expect((100...240).contains(name.utf8.count))
  }
}
