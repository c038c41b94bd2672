import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Downloads from servers that contradict themselves, and into folders that other processes changed.
@Suite(.timeLimit(.minutes(1)))
struct HostileDownloadTests {
  private let stub = StubTransport()
  private static let lost = Client.TransportFailure(.lost, reason: "cut")

  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "hostile-\(UUID().uuidString)")
  private var file: URL { folder.appending(path: "file") }
  private var partial: URL { folder.appending(path: ".file.download") }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    stub.stub(.get, "/file", with: .text("new"))
  }

  private func download(
    to file: URL? = nil, limit: Int = .max, ifExists: DownloadOptions.ExistingFile = .fail
  ) async -> Result<DownloadedFile, Client.Error> {
    var options = DownloadOptions(ifExists: ifExists)
    options.retryPolicy.random = { 0 }
    let request = Request<Data>.get("/file").limits { $0.bodySize = limit }
    do throws(Client.Error) {
      return .success(
        try await Client.stubbed(by: stub).download(
          request, to: file ?? self.file, options: options))
    } catch {
      return .failure(error)
    }
  }

  /// Stubs the first response, the response to range requests, and the response to requests for the whole file.
  private func stub(first: StubResponse, range: StubResponse, whole: StubResponse) {
    let (ranges, wholes) = (StubTransport(), StubTransport())
    ranges.stub(.get, "/file", with: range)
    wholes.stub(.get, "/file", with: whole)
    stub.stub(
      .get, "/file", with: first,
      .responding { request in
        let isRange = request.head.headerFields[.range] != nil
        return try await (isRange ? ranges : wholes).send(request)
      })
  }

  private func text(_ file: URL? = nil) throws -> String {
    try String(decoding: Data(contentsOf: file ?? self.file), as: UTF8.self)
  }

  // MARK: Servers

  @Test func `a digest that never fits ends the download`() async {
    let wrong = Client.TransportFailure(.digest, reason: "wrong")
    stub.stub(.get, "/file", with: .text("0123456789", error: wrong, [.eTag: "\"1\""]))
    #expect(await download().failure?.isRetryable == true)
    #expect(stub.requests.count == 3)
  }

  @Test func `cuts of a file that cannot be resumed are limited`() async {
    let parts = ["01234", "01"].map {
      StubResponse.text($0, error: Self.lost, [.contentLength: "10"])
    }
    stub.stub(.get, "/file", with: parts[0], parts[1], parts[0], parts[1])
    #expect(await download().failure != nil)
    // The first attempt has new bytes, and does not count.
    #expect(stub.requests.count == 4)
  }

  @Test(arguments: ["5", "\(Int64.max)", nil])
  func `a part of an unknown size is not the rest`(length: String?) async throws {
    var fields: HTTPFields = [.eTag: "\"1\"", .contentRange: "bytes 5-9/*"]
    fields[.contentLength] = length
    stub(
      first: .text("01234", error: Self.lost, [.eTag: "\"1\""]),
      range: .text("56789", status: .partialContent, fields),
      whole: .text("0123456789abcdef", [.eTag: "\"1\""]))
    _ = try await download().get()
    #expect(try text() == "0123456789abcdef")
  }

  /// Responses to a range that are 200 and have only the rest; modelscope_hub#50, rustup#4710, gopeed#1458, requests#2467.
  @Test(
    arguments: [
      [.eTag: "\"1\"", .contentRange: "bytes 5-9/10", .contentLength: "5"],
      [.eTag: "\"1\"", .contentRange: "bytes 5-9/10"],
      [.eTag: "\"2\"", .contentRange: "bytes 5-9/10", .contentLength: "5"],
      [.eTag: "\"1\"", .contentRange: "bytes 5-9/*"],
      [.contentRange: "bytes 5-9/10"],
      [.eTag: "\"1\"", .contentLength: "5"],
    ] as [HTTPFields])
  func `a whole response with a part is not the file`(fields: HTTPFields) async throws {
    stub(
      first: .text("01234", error: Self.lost, [.eTag: "\"1\"", .contentLength: "10"]),
      range: .text("56789", fields), whole: .text("0123456789", [.eTag: "\"3\""]))
    _ = try await download().get()
    #expect(try text() == "0123456789")
  }

  @Test func `a shorter body of the same entity tag is an error`() async throws {
    stub(
      first: .text("01234", error: Self.lost, [.eTag: "\"1\"", .contentLength: "10"]),
      range: .text("56789", [.eTag: "\"1\""]), whole: .text("0123456789", [.eTag: "\"1\""]))
    #expect(await download().failure?.transportFailure?.kind == .protocolError)
    // Nothing of the wrong bytes is left for the next download.
    _ = try await download().get()
    #expect(try text() == "0123456789")
  }

  @Test(arguments: [.partialContent, .ok] as [HTTPResponse.Status])
  func `a part of a new download is an error`(status: HTTPResponse.Status) async {
    stub.stub(.get, "/file", with: .text("56789", status: status, [.contentRange: "bytes 5-9/10"]))
    #expect(await download().failure?.transportFailure?.kind == .protocolError)
  }

  @Test func `a part that is longer than its range is not used`() async throws {
    stub(
      first: .text("01234", error: Self.lost, [.eTag: "\"1\"", .contentLength: "16"]),
      range: .text(
        "56789XXXXXX", status: .partialContent,
        [.eTag: "\"1\"", .contentRange: "bytes 5-9/16"]),
      whole: .text("0123456789abcdef", [.eTag: "\"1\""]))
    let result = await download()
    let isThere = FileManager.default.fileExists(atPath: file.path)
    #expect(try isThere ? text() == "0123456789abcdef" : result.failure != nil)
  }

  // MARK: Sizes

  /// Stubs a file whose responses are each cut after `count` bytes.
  private func stub(_ text: String, cutAfter count: Int, hasTotal: Bool) {
    let part = { @Sendable (request: OutgoingRequest) in
      let range = request.head.headerFields[.range]?.dropFirst("bytes=".count).dropLast()
      let start = range.flatMap { Int($0) } ?? 0
      var fields: HTTPFields = [.eTag: "\"1\""]
      let total = hasTotal ? "\(text.count)" : "*"
      if start > 0 { fields[.contentRange] = "bytes \(start)-\(text.count - 1)/\(total)" }
      if hasTotal { fields[.contentLength] = "\(text.count - start)" }
      return StubResponse.text(
        String(text.dropFirst(start).prefix(count)),
        error: start + count < text.count ? Self.lost : nil,
        status: start > 0 ? .partialContent : .ok, fields)
    }
    stub.stub(
      .get, "/file",
      with: .responding { request in
        let one = StubTransport()
        one.stub(.get, "/file", with: part(request))
        return try await one.send(request)
      })
  }

  @Test(arguments: [false, true])
  func `limit holds over all parts and calls`(hasTotal: Bool) async throws {
    let text = String(repeating: "0123456789", count: 10)
    for limit in [99, 100] {
      stub(text, cutAfter: 30, hasTotal: hasTotal)
      for _ in 1...3 {
        let result = await download(limit: limit, ifExists: .replace)
        if limit < 100, hasTotal {
          #expect(result.failure?.tooLarge?.limit == .bodySize)
        } else if hasTotal {
          #expect(try result.get().size == 100)
        } else {
          // Without a total size, a partial file can't be resumed, and each call starts again.
          #expect(result.failure != nil)
        }
      }
    }
  }

  @Test func `whole of unknown size stops at the limit`() async throws {
    let text = String(repeating: "x", count: 100)
    stub.stub(.get, "/file", with: .text(text, [.eTag: "\"1\""]))
    for _ in 1...3 { #expect(await download(limit: 99).failure?.tooLarge != nil) }
    #expect(try await download(limit: 100).get().size == 100)
  }

  // MARK: Folders

  @Test func `name that no file can have is an error before the request`() async throws {
    let target = folder.appending(path: String(repeating: "x", count: 256))
    #expect(await download(to: target).failure?.fileFailure?.path == target.path)
    #expect(stub.requests.isEmpty)
  }

  @Test func `link that leads nowhere is an existing file`() async throws {
    try FileManager.default.createSymbolicLink(
      at: file, withDestinationURL: folder.appending(path: "nowhere"))
    #expect(await download().failure?.isExistingFile == true)
    #expect(stub.requests.isEmpty)
    _ = try await download(ifExists: .replace).get()
    #expect(try text() == "new")
  }

  @Test func `a link in place of the partial file is not followed`() async throws {
    let other = folder.appending(path: "other")
    try Data("precious".utf8).write(to: other)
    try FileManager.default.createSymbolicLink(at: partial, withDestinationURL: other)
    _ = await download()
    #expect(try text(other) == "precious")
  }

  /// A process that crashed between linking the complete file and removing the partial file's name.
  @Test func `the second name of a complete file is not written to`() async throws {
    try Data("complete".utf8).write(to: file)
    try FileManager.default.linkItem(at: file, to: partial)
    let broken = Client.TransportFailure(.protocolError, reason: "broken")
    stub.stub(.get, "/file", with: .text("new", error: broken))
    #expect(await download(ifExists: .replace).failure != nil)
    #expect(try text() == "complete")
  }

  @Test func `only files are replaced`() async throws {
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(await download(ifExists: .replace).failure?.isExistingFile == true)
    #expect(stub.requests.isEmpty)
    let type = try FileManager.default.attributesOfItem(atPath: file.path)[.type]
    #expect(type as? FileAttributeType != .typeRegular)
  }

  @Test(arguments: [
    String(repeating: "x", count: 255), String(repeating: "\u{1F468}\u{200D}\u{1F467}", count: 23),
    "e" + String(repeating: "\u{301}", count: 120),
  ])
  func `long names are names of files`(name: String) async throws {
    let target = folder.appending(path: name)
    _ = try await download(to: target).get()
    #expect(try text(target) == "new")
  }

  @Test func `a record of any size is not read`() async throws {
    stub.stub(
      .get, "/file", with: .text("01234", error: Self.lost, [.eTag: "\"1\""]),
      .failure(Client.TransportFailure(.untrusted, reason: "no")))
    #expect(await download().failure != nil)
    let record = folder.appending(path: ".file.download.json")
    let padding = Data(repeating: UInt8(ascii: " "), count: 1 << 20)
    try (Data(contentsOf: record) + padding).write(to: record)
    stub.stub(.get, "/file", with: .text("0123456789"))
    _ = try await download().get()
    #expect(stub.requests.last?.head.headerFields[.range] == nil)
    #expect(try text() == "0123456789")
  }

  // MARK: Progress and sources

  @Test(arguments: [(Int64.max, 0.01), (.max, .leastNonzeroMagnitude), (5, .nan), (5, .infinity)])
  func `any rate has a time or none`(total: Int64, rate: Double) {
    let progress = TransferProgress(completed: 0, total: total, bytesPerSecond: rate)
    #expect(progress.timeLeft ?? .zero >= .zero)
  }

  @Test func `a source of empty chunks can be cancelled`() async {
    let isRead = Gate()
    let body = OutgoingBody {
      {
        isRead.open()
        return Data()
      }
    }
    let task = Task { try await body.collect() }
    await isRead.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

extension Client.Error {
  fileprivate var isExistingFile: Bool { fileFailure?.kind == .exists }
}
