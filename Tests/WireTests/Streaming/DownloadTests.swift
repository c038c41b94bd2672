import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite("Downloads to files", .timeLimit(.minutes(1)))
struct DownloadTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "downloads-\(UUID().uuidString)")
  private let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 37 >> 4) })
  private var file: URL { folder.appending(path: "a file.bin") }
  private let get = Request<Data>.get("/file", query: ["key": Sensitive("s3cret")])

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Returns the names of all files in the folder.
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private static func options(_ change: (inout DownloadOptions) -> Void) -> DownloadOptions {
    var options = DownloadOptions()
    options.retryPolicy.random = { 0 }
    change(&options)
    return options
  }

  private func download(
    _ server: RangeServer, by transport: TransportUnderTest = .asyncHTTPClient,
    _ options: DownloadOptions = options { _ in },
    onProgress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async throws -> Result<DownloadedFile, Client.Error> {
    try await withClient(server, by: transport) { client in
      await result(client, options, onProgress)
    }
  }

  private func withClient<Value>(
    _ server: RangeServer, by transport: TransportUnderTest = .asyncHTTPClient,
    _ body: (Client) async throws -> Value
  ) async throws -> Value {
    try await withTestServer {
      try await server.respond($0)
    } _: { faults in
      // A resume requires the same base URL, so the server's port must not change.
      try await body(transport.client(faults))
    }
  }

  private func result(
    _ client: Client, _ options: DownloadOptions = options { _ in },
    _ onProgress: (@Sendable (TransferProgress) -> Void)? = nil
  ) async -> Result<DownloadedFile, Client.Error> {
    do throws(Client.Error) {
      return .success(
        try await client.download(get, to: file, options: options, onProgress: onProgress))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [false, true])
  func `a whole file`(transport: TransportUnderTest, isChunked: Bool) async throws {
    let server = RangeServer(content) { $0.isChunked = isChunked }
    let progress = Mutex<[TransferProgress]>([])
    let downloaded = try await download(server, by: transport) { p in
      progress.withLock { $0.append(p) }
    }.get()
    #expect(downloaded.file == file && downloaded.size == 100_000 && downloaded.resumedFrom == 0)
    #expect(try Data(contentsOf: file) == content)
    #expect(try names() == ["a file.bin"])
    let seen = progress.withLock { $0 }
    #expect(seen.last?.completed == 100_000)
    #expect(seen.last?.total == (isChunked ? nil : 100_000))
    #expect(seen.map(\.completed) == seen.map(\.completed).sorted())
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a cut is resumed within the call`(transport: TransportUnderTest) async throws {
    let server = RangeServer(content) { $0.faults = [.cut(30_000), .reset(30_000)] }
    let downloaded = try await download(server, by: transport).get()
    #expect(try Data(contentsOf: file) == content)
    #expect(downloaded.head.status == .partialContent)
    #expect(server.ranges.count == 3)
    #expect(server.ranges[1] == "bytes=30000-")
  }

  @Test func `attempts that bring nothing are limited`() async throws {
    let server = RangeServer(content) { $0.faults = Array(repeating: .cut(0), count: 9) }
    #expect(try await download(server).failure?.transportFailure != nil)
    #expect(server.ranges.count == 3)
    #expect(try names() == [])
  }

  /// The first attempt brings bytes, and does not count.
  @Test func `three attempts without a byte are three`() async throws {
    let server = RangeServer(content) { $0.faults = [.cut(30_000), .cut(0), .cut(0), .cut(0)] }
    #expect(try await download(server).failure?.transportFailure != nil)
    #expect(server.ranges.count == 4)
    let other = RangeServer(content) { $0.faults = [.cut(30_000), .cut(0), .cut(0)] }
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try await download(other).get()
    #expect(try Data(contentsOf: file) == content)
  }

  @Test(arguments: [RangeServer.Fault.changed, .shrunk, .ignoresRanges, .status(416), .status(412)])
  func `what does not fit begins again`(fault: RangeServer.Fault) async throws {
    let server = RangeServer(content) { $0.faults = [.cut(30_000), fault] }
    _ = try await download(server).get()
    #expect(try Data(contentsOf: file) == server.content)
    #expect(try names() == ["a file.bin"])
  }

  @Test(arguments: [RangeServer.Fault.wrongStart, .wrongTotal, .otherTag])
  func `a range of something else is not used`(fault: RangeServer.Fault) async throws {
    let server = RangeServer(content) { $0.faults = [.cut(30_000), fault] }
    _ = try await download(server).get()
    #expect(try Data(contentsOf: file) == content)
    #expect(server.ranges == [nil, "bytes=30000-", nil])
  }

  @Test func `without a strong validator it begins again`() async throws {
    for change: (inout RangeServer.State) -> Void in [{ $0.isWeak = true }, { $0.hasTag = false }] {
      let server = RangeServer(content) {
        $0.faults = [.cut(30_000)]
        change(&$0)
      }
      _ = try await download(server, Self.options { $0.ifExists = .replace }).get()
      #expect(try Data(contentsOf: file) == content)
      #expect(server.ranges == [nil, nil])
    }
  }

  @Test func `a date is a validator too`() async throws {
    let server = RangeServer(content) {
      ($0.hasTag, $0.hasDate, $0.faults) = (false, true, [.cut(30_000)])
    }
    _ = try await download(server).get()
    #expect(try Data(contentsOf: file) == content)
    #expect(server.ranges == [nil, "bytes=30000-"])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `cancelling keeps what is there`(transport: TransportUnderTest) async throws {
    let server = RangeServer(content) { $0.faults = [.stall(40_960)] }
    try await withClient(server, by: transport) { client in
      let started = Gate()
      let task = Task {
        await result(client) { if $0.completed == 40_960 { started.open() } }
      }
      // Progress is reported every 0.1 s, so the last update may be missing.
      try await whenSize(40_960)
      task.cancel()
      #expect(await task.value.failure?.isCancelled == true)
      #expect(try names() == [".a file.bin.download", ".a file.bin.download.json"])
      #expect(
        try !String(
          contentsOf: folder.appending(path: ".a file.bin.download.json"), encoding: .utf8
        )
        .contains("s3cret"))
      let downloaded = try await result(client).get()
      #expect(downloaded.resumedFrom == 40_960)
      #expect(try Data(contentsOf: file) == content)
      #expect(server.ranges == [nil, "bytes=40960-"])
      #expect(try names() == ["a file.bin"])
    }
  }

  /// Waits until the partial file has this size.
  private func whenSize(_ size: Int) async throws {
    let path = folder.appending(path: ".a file.bin.download").path
    while (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int != size {
      try await ContinuousClock().sleep(for: .milliseconds(5))
    }
  }

  @Test func `what is complete but unnamed is checked only`() async throws {
    let server = RangeServer(content) { $0.faults = [.stall(40_960)] }
    try await withClient(server) { client in
      let task = Task { await result(client) }
      try await whenSize(40_960)
      task.cancel()
      _ = await task.value
      // As if the process had crashed after the last byte.
      try content.write(to: folder.appending(path: ".a file.bin.download"))
      _ = try await result(client).get()
      #expect(server.ranges == [nil, "bytes=99999-"])
      #expect(try Data(contentsOf: file) == content)
    }
  }

  @Test func `a file that changed was not resumed`() async throws {
    let server = RangeServer(content) { $0.faults = [.cut(30_000), .changed] }
    try await withClient(server) { client in
      _ = await result(client, Self.options { $0.retryPolicy.attempts = 1 })
      let downloaded = try await result(client).get()
      #expect(downloaded.resumedFrom == 0)
      #expect(try Data(contentsOf: file) == server.content)
    }
  }

  @Test func `another download is not resumed`() async throws {
    let server = RangeServer(content) { $0.faults = [.cut(30_000)] }
    try await withClient(server) { client in
      _ = await result(client, Self.options { $0.retryPolicy.attempts = 1 })
      let other = Request<Data>.get("/file", query: ["key": "other"])
      _ = try await client.download(other, to: file)
      #expect(server.ranges == [nil, nil])
    }
  }

  @Test func `files that exist are treated as asked for`() async throws {
    let server = RangeServer(content)
    try Data("mine".utf8).write(to: file)
    guard case .failure(.file(let failure)) = try await download(server) else {
      Issue.record("It was replaced")
      return
    }
    #expect(failure.kind == .exists && failure.path == file.path)
    #expect(server.ranges == [])
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
    for number in 2...3 {
      let kept = try await download(server, DownloadOptions(ifExists: .keepBoth))
      #expect(try kept.get().file.lastPathComponent == "a file \(number).bin")
    }
    _ = try await download(server, DownloadOptions(ifExists: .replace)).get()
    #expect(try Data(contentsOf: file) == content)
    #expect(try names() == ["a file 2.bin", "a file 3.bin", "a file.bin"])
  }

  @Test func `a file that appears meanwhile is not replaced`() async throws {
    let server = RangeServer(content) { $0.faults = [.cut(30_000)] }
    let file = file
    try await withTestServer { exchange in
      if !server.ranges.isEmpty { try Data("mine".utf8).write(to: file) }
      try await server.respond(exchange)
    } _: { faults in
      let client = try TransportUnderTest.asyncHTTPClient.client(faults)
      guard case .failure(.file(let failure)) = await result(client) else {
        Issue.record("It was replaced")
        return
      }
      #expect(failure.kind == .exists)
      #expect(try Data(contentsOf: file) == Data("mine".utf8))
    }
  }

  @Test func `two downloads to one file do not mix`() async throws {
    let server = RangeServer(content) { $0.faults = [.stall(40_960)] }
    try await withClient(server) { client in
      let task = Task { await result(client) }
      try await whenSize(40_960)
      guard case .failure(.file(let failure)) = await result(client) else {
        Issue.record("Both were written")
        return
      }
      #expect(failure.kind == .inUse)
      task.cancel()
      _ = await task.value
    }
  }

  @Test func `files that can not be written are errors`() async throws {
    let server = RangeServer(content)
    func kind(_ file: URL) async throws -> Client.FileFailure.Kind? {
      try await withTestServer {
        try await server.respond($0)
      } _: {
        faults -> Client.FileFailure.Kind? in
        let client = try TransportUnderTest.asyncHTTPClient.client(faults)
        do throws(Client.Error) {
          _ = try await client.download(get, to: file, options: DownloadOptions(ifExists: .replace))
          return nil
        } catch .file(let failure) {
          return failure.kind
        }
      }
    }
    #expect(try await kind(folder.appending(path: "none/file")) == .notFound)
    #expect(try await kind(folder) == .exists)
    #expect(try await kind(URL(string: "http://elsewhere.example/tmp/x")!) == .other)
    #expect(server.ranges == [])
    let long = folder.appending(path: String(repeating: "n", count: 255))
    #expect(try await kind(long) == nil)
    #expect(try Data(contentsOf: long) == content)
  }

  @Test func `a status that is not accepted leaves nothing`() async throws {
    let server = RangeServer(content) { $0.faults = [.status(404)] }
    let failure = try #require(try await download(server).failure?.statusFailure)
    #expect(failure.response.status == .notFound)
    #expect(try names() == [])
  }

  @Test func `empty files are files`() async throws {
    _ = try await download(RangeServer(Data())).get()
    #expect(try Data(contentsOf: file) == Data())
  }

  /// Mirrors derive the coding from the name, or send a charset; nab#545, bazel#11686, NixOS/nix#1568, qutebrowser#4684.
  @Test(arguments: [
    "gzip", "x-gzip", "GZIP", "deflate", "br", "UTF-8", "gzip, gzip", "aws-chunked,gzip",
  ])
  func `File has the bytes of the wire in any coding`(coding: String) async throws {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer {
      try await $0.respond(coding: coding, body)
    } _: { server in
      let client = try TransportUnderTest.asyncHTTPClient.client(server)
      let download = try await client.download(Request<Data>.get("/a.tar.gz"), to: file)
      #expect(try Data(contentsOf: download.file) == body)
      #expect(download.head.headerFields[.contentEncoding] == coding)
      #expect(server.requests.map { $0.values(of: "Accept-Encoding") } == [["identity"]])
    }
  }

  @Test func `Coded bytes of a download are not cached`() async throws {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer {
      try await $0.respond(coding: "gzip", fields: "Cache-Control: max-age=60\r\n", body)
    } _: { server in
      let client = try TransportUnderTest.asyncHTTPClient.client(server) { $0.cache = .memory() }
      _ = try await client.download(Request<Data>.get("/a"), to: file)
      #expect(try await client.send(Request<String>.get("/a")) == Sample.text)
    }
  }
}
