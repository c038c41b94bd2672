import Curlew
import Foundation
import ShowcaseTestSupport
import Testing

/// A running `showcase serve`, as other programs see it.
@Suite(.timeLimit(.minutes(2)))
struct RunningServerTests {
  /// Runs a closure with a folder, and with a function that starts a server whose cache is there.
  private func withServers(
    _ body: (
      _ folder: URL,
      _ start: (_ options: String...) async throws -> (server: ChildProcess, url: String)
    ) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder) { (options: String...) in
      let (server, url) = try await ChildProcess.start(
        "/usr/bin/env",
        [
          "XDG_CACHE_HOME=\(folder.path)",
          "PATH=\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")",
          Command.binary.path, "serve", "--port", "0", "--sandbox-port", "0",
        ] + options, readyWhen: #"Serving the showcase on (\S+)"#)
      return (server, url)
    }
  }

  private func files(of folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "curlew-showcase/serve").path)
  }

  @Test func `The command open opens an issue in the newest server`() async throws {
    try await withServers { folder, start in
      func open(_ options: String...) async throws -> String {
        let outcome = try await Command.run(
          ["open", "apple/cups", "Ink from a command"] + options,
          environment: ["XDG_CACHE_HOME": folder.path], sandboxPort: nil)
        #expect(outcome.status == 0, "\(outcome.error)")
        return outcome.output
      }
      let (server, url) = try await start()
      #expect(try await open().hasSuffix("by you\nshown by \(url)\n"))
      let page = Client(baseURL: try BaseURL(url)) { $0.transport = ServedSite.transport }
      try await eventually("the issue on the page") {
        let html = try await page.send(Request<Data>.get("/issues", query: ["q": "apple/cups"]))
        return String(decoding: html, as: UTF8.self).contains("Ink from a command")
      }
      #expect(try await open("--latency", "1").hasSuffix("by you\n"), "in a sandbox of its own")
      #expect(try files(of: folder).count == 1)
      await server.stop()
      #expect(try files(of: folder).count == 1, "a killed server leaves its file")
      #expect(try await open().hasSuffix("by you\n"))
      #expect(try files(of: folder).isEmpty)
    }
  }

  @Test(.enabled(if: Command.canBeShells))
  func `A server that is stopped leaves no file`() async throws {
    try await withServers { folder, _ in
      let (outcome, text) = try await Command.interrupted(
        "serve", "--port", "0", environment: ["XDG_CACHE_HOME": folder.path])
      #expect(outcome.status == 0 && text.hasPrefix("Serving the showcase"))
      #expect(try files(of: folder).isEmpty)
    }
  }

  @Test func `A server opens its pages in the browser`() async throws {
    try await withServers { folder, start in
      let opened = folder.appending(path: "opened")
      for name in ["open", "xdg-open"] {
        let program = folder.appending(path: name)
        try Data("#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(opened.path)'\n".utf8).write(to: program)
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o755], ofItemAtPath: program.path)
      }
      let (server, url) = try await start("--open")
      try await eventually("the page in the browser") {
        try String(contentsOf: opened, encoding: .utf8) == url + "\n"
      }
      await server.stop()
    }
  }
}
