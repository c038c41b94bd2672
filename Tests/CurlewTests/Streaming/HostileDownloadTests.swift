import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Downloads from servers that contradict themselves, and into folders where somebody else was.
@Suite(.timeLimit(.minutes(1)))
struct HostileDownloadTests {
  /// A server that responds to each request, by its number from 1.
  private final class Server: Transport {
    typealias Respond = @Sendable (OutgoingRequest, Int) throws -> IncomingResponse

    private let respond: Respond
    private let number = Atomic<Int>(0)

    init(_ respond: @escaping Respond) {
      self.respond = respond
    }

    var requests: Int { number.load(ordering: .relaxed) }

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
      let number = number.add(1, ordering: .relaxed).newValue
      // A test of an end that never comes must end.
      guard number <= 40 else {
        throw Client.TransportFailure(.protocolError, reason: "too many requests")
      }
      return try respond(request, number)
    }
  }

  private static let lost = Client.TransportFailure(.lost, reason: "cut")

  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "hostile-\(UUID().uuidString)")
  private var file: URL { folder.appending(path: "file") }
  private var partial: URL { folder.appending(path: ".file.download") }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static func response(
    _ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:], _ text: String,
    error: (any Error)? = nil
  ) -> IncomingResponse {
    IncomingResponse(
      head: HTTPResponse(status: status, headerFields: fields),
      body: ResponseBody {
        var rest: Data? = Data(text.utf8)
        return {
          if let data = rest.take() { return data }
          if let error { throw error }
          return nil
        }
      })
  }

  private func download(
    _ server: Server, to file: URL? = nil, limit: Int = .max,
    ifExists: DownloadOptions.ExistingFile = .fail
  ) async -> Result<DownloadedFile, Client.Error> {
    let client = Client(baseURL: "https://example.com") { $0.transport = server }
    var options = DownloadOptions(ifExists: ifExists)
    options.retryPolicy.random = { 0 }
    do throws(Client.Error) {
      return .success(
        try await client.download(
          Request<Data>.get("/file").limits { $0.bodySize = limit }, to: file ?? self.file,
          options: options))
    } catch {
      return .failure(error)
    }
  }

  private func text(_ file: URL? = nil) throws -> String {
    try String(decoding: Data(contentsOf: file ?? self.file), as: UTF8.self)
  }

  // MARK: Servers

  @Test func aDigestThatNeverFitsEndsTheDownload() async {
    let server = Server { _, _ in
      Self.response(
        .ok, [.eTag: "\"1\""], "0123456789",
        error: Client.TransportFailure(.digest, reason: "wrong"))
    }
    #expect(await download(server).failure?.isRetryable == true)
    #expect(server.requests == 3)
  }

  @Test func cutsOfAFileThatCannotBeResumedAreLimited() async {
    let server = Server { _, number in
      Self.response(
        .ok, [.contentLength: "10"], number.isMultiple(of: 2) ? "01" : "01234", error: Self.lost)
    }
    #expect(await download(server).failure != nil)
    #expect(server.requests == 3)
  }

  @Test(arguments: ["5", "\(Int64.max)", nil])
  func aPartOfAnUnknownSizeIsNotTheRest(length: String?) async throws {
    let server = Server { request, number in
      guard number > 1 else {
        return Self.response(.ok, [.eTag: "\"1\""], "01234", error: Self.lost)
      }
      guard request.head.headerFields[.range] != nil else {
        return Self.response(.ok, [.eTag: "\"1\""], "0123456789abcdef")
      }
      var fields: HTTPFields = [.eTag: "\"1\"", .contentRange: "bytes 5-9/*"]
      fields[.contentLength] = length
      return Self.response(.partialContent, fields, "56789")
    }
    _ = try await download(server).get()
    #expect(try text() == "0123456789abcdef")
  }

  @Test func aPartThatIsLongerThanItsRangeIsNotUsed() async throws {
    let server = Server { request, number in
      guard number > 1 else {
        return Self.response(
          .ok, [.eTag: "\"1\"", .contentLength: "16"], "01234", error: Self.lost)
      }
      guard request.head.headerFields[.range] != nil else {
        return Self.response(.ok, [.eTag: "\"1\""], "0123456789abcdef")
      }
      return Self.response(
        .partialContent, [.eTag: "\"1\"", .contentRange: "bytes 5-9/16"], "56789XXXXXX")
    }
    let result = await download(server)
    let isThere = FileManager.default.fileExists(atPath: file.path)
    #expect(try isThere ? text() == "0123456789abcdef" : result.failure != nil)
  }

  // MARK: Sizes

  /// A server of a file, each of whose responses is cut after some bytes.
  private static func cutting(_ text: String, after count: Int, hasTotal: Bool) -> Server {
    Server { request, _ in
      let range = request.head.headerFields[.range]?.dropFirst("bytes=".count).dropLast()
      let start = range.flatMap { Int($0) } ?? 0
      var fields: HTTPFields = [.eTag: "\"1\""]
      let total = hasTotal ? "\(text.count)" : "*"
      if start > 0 { fields[.contentRange] = "bytes \(start)-\(text.count - 1)/\(total)" }
      if hasTotal { fields[.contentLength] = "\(text.count - start)" }
      let part = text.dropFirst(start).prefix(count)
      return response(
        start > 0 ? .partialContent : .ok, fields, String(part),
        error: start + count < text.count ? lost : nil)
    }
  }

  @Test(arguments: [false, true])
  func limitHoldsOverAllPartsAndCalls(hasTotal: Bool) async throws {
    let text = String(repeating: "0123456789", count: 10)
    for limit in [99, 100] {
      let server = Self.cutting(text, after: 30, hasTotal: hasTotal)
      for _ in 1...3 {
        let result = await download(server, limit: limit, ifExists: .replace)
        if limit < 100, hasTotal {
          guard case .tooLarge(let failure) = result.failure else { return #expect(Bool(false)) }
          #expect(failure.limit == .bodySize)
        } else if hasTotal {
          #expect(try result.get().size == 100)
        } else {
          // Without a total a part can't be used, and each begins again.
          #expect(result.failure != nil)
        }
      }
    }
  }

  @Test func wholeOfUnknownSizeStopsAtTheLimit() async throws {
    let server = Server { _, _ in
      Self.response(.ok, [.eTag: "\"1\""], String(repeating: "x", count: 100))
    }
    for _ in 1...3 {
      guard case .tooLarge = await download(server, limit: 99).failure else {
        Testing.Issue.record("It was downloaded")
        return
      }
    }
    #expect(try await download(server, limit: 100).get().size == 100)
  }

  // MARK: Folders

  @Test func nameThatNoFileCanHaveIsAnErrorBeforeTheRequest() async throws {
    let server = Server { _, _ in Self.response(.ok, [:], "new") }
    let target = folder.appending(path: String(repeating: "x", count: 256))
    guard case .file(let failure) = await download(server, to: target).failure else {
      Testing.Issue.record("It was downloaded")
      return
    }
    #expect(failure.path == target.path)
    #expect(server.requests == 0)
  }

  @Test func linkThatLeadsNowhereIsAnExistingFile() async throws {
    let server = Server { _, _ in Self.response(.ok, [:], "new") }
    try FileManager.default.createSymbolicLink(
      at: file, withDestinationURL: folder.appending(path: "nowhere"))
    #expect(await download(server).failure?.isExistingFile == true)
    #expect(server.requests == 0)
    _ = try await download(server, ifExists: .replace).get()
    #expect(try text() == "new")
  }

  @Test func aLinkInPlaceOfThePartialFileIsNotFollowed() async throws {
    let other = folder.appending(path: "other")
    try Data("precious".utf8).write(to: other)
    try FileManager.default.createSymbolicLink(at: partial, withDestinationURL: other)
    let server = Server { _, _ in Self.response(.ok, [:], "new") }
    _ = await download(server)
    #expect(try text(other) == "precious")
  }

  /// A process that ended after it gave the file its name, and before it removed the other name.
  @Test func theSecondNameOfACompleteFileIsNotWrittenTo() async throws {
    try Data("complete".utf8).write(to: file)
    try FileManager.default.linkItem(at: file, to: partial)
    let server = Server { _, _ in
      Self.response(
        .ok, [:], "new", error: Client.TransportFailure(.protocolError, reason: "broken"))
    }
    #expect(await download(server, ifExists: .replace).failure != nil)
    #expect(try text() == "complete")
  }

  @Test func onlyFilesAreReplaced() async throws {
    #expect(mkfifo(file.path, 0o600) == 0)
    let server = Server { _, _ in Self.response(.ok, [:], "new") }
    #expect(await download(server, ifExists: .replace).failure?.isExistingFile == true)
    #expect(server.requests == 0)
    let type = try FileManager.default.attributesOfItem(atPath: file.path)[.type]
    #expect(type as? FileAttributeType != .typeRegular)
  }

  @Test(arguments: [
    String(repeating: "x", count: 255), String(repeating: "\u{1F468}\u{200D}\u{1F467}", count: 23),
    "e" + String(repeating: "\u{301}", count: 120),
  ])
  func longNamesAreNamesOfFiles(name: String) async throws {
    let target = folder.appending(path: name)
    let server = Server { _, _ in Self.response(.ok, [:], "new") }
    _ = try await download(server, to: target).get()
    #expect(try text(target) == "new")
  }

  @Test func aRecordOfAnySizeIsNotRead() async throws {
    let cut = Server { _, number in
      guard number == 1 else { throw Client.TransportFailure(.untrusted, reason: "no") }
      return Self.response(.ok, [.eTag: "\"1\""], "01234", error: Self.lost)
    }
    #expect(await download(cut).failure != nil)
    let record = folder.appending(path: ".file.download.json")
    let padding = Data(repeating: UInt8(ascii: " "), count: 1 << 20)
    try (Data(contentsOf: record) + padding).write(to: record)
    let server = Server { request, _ in
      #expect(request.head.headerFields[.range] == nil)
      return Self.response(.ok, [:], "0123456789")
    }
    _ = try await download(server).get()
    #expect(try text() == "0123456789")
  }

  // MARK: Progress and sources

  @Test(arguments: [(Int64.max, 0.01), (.max, .leastNonzeroMagnitude), (5, .nan), (5, .infinity)])
  func anyRateHasATimeOrNone(total: Int64, rate: Double) {
    let progress = TransferProgress(completed: 0, total: total, bytesPerSecond: rate)
    #expect(progress.timeLeft ?? .zero >= .zero)
  }

  @Test func aSourceOfEmptyChunksCanBeCancelled() async {
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
  fileprivate var isExistingFile: Bool {
    if case .file(let failure) = self { failure.kind == .exists } else { false }
  }
}
