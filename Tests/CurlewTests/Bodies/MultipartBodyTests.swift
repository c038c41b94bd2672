import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Curlew

/// How a form's body is read while it is sent.
@Suite(.timeLimit(.minutes(1)))
struct MultipartBodyTests {
  private let folder: TemporaryFolder
  private let large = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  init() throws { folder = try TemporaryFolder() }

  /// Returns a body that streams a text byte by byte.
  private func stream(_ text: String, length: Int64?) -> RequestBody {
    .stream(length: length) {
      AsyncStream { chunks in
        for byte in text.utf8 { chunks.yield(Data([byte])) }
        chunks.finish()
      }
    }
  }

  @Test func `the length is that of the bytes`() async throws {
    for seed in 0..<UInt64(Fuzz.size(200, full: 1_000)) {
      let form = try SeededForm(seed: Fuzz.seed() &+ seed, folder: folder.url).form
      let body = try await PostedForm(form).body
      var count = 0
      for try await chunk in body {
        #expect(!chunk.isEmpty && chunk.count <= 128 * 1024)
        count += chunk.count
      }
      let length = body.length ?? Int64(count)
      #expect(Int64(count) == length, "seed \(Fuzz.seed() &+ seed)")
    }
  }

  @Test func `the length is known if that of every part is`() async throws {
    let known = try await PostedForm(["a": "b", "s": stream("abc", length: 3)])
    #expect(known.body.length == Int64(try await known.body.collect().count))
    let unknown = try await PostedForm(["s": stream("abc", length: nil), "a": "b"])
    #expect(unknown.body.length == nil)
    #expect(try await unknown.text.contains("\r\n\r\nabc\r\n--B"))
    let huge = stream("", length: .max)
    #expect(try await PostedForm(["a": huge, "b": huge]).body.length == nil)
  }

  @Test func `a small form in memory is data`() async throws {
    let fields = (0..<100).map { MultipartForm.Part("\($0)", .text("x")) }
    #expect(try await PostedForm(MultipartForm(fields)).body.data != nil)
    #expect(try await PostedForm(["a": .data(large)]).body.data == nil)
  }

  @Test func `large parts come in small chunks`() async throws {
    let file = try folder.file("large", large)
    let posted = try await PostedForm([
      "a": .data(large), "b": .file(file), "c": .body(.stream(once: [large].async)), "d": "e",
    ])
    var counts: [Int] = []
    var whole = Data()
    for try await chunk in posted.body {
      counts.append(chunk.count)
      whole += chunk
    }
    #expect(counts.allSatisfy { (1...128 * 1024).contains($0) })
    #expect(counts.count < 40)
    var rest = whole[...]
    for _ in 1...3 {
      let range = try #require(rest.range(of: large))
      rest = rest[range.upperBound...]
    }
    #expect(
      String(decoding: rest, as: UTF8.self).hasSuffix("\r\n\r\ne\r\n--\(posted.boundary)--\r\n"))
  }

  @Test func `a form is read again after a part of it`() async throws {
    let file = try folder.file("large", large)
    let posted = try await PostedForm(["a": "b", "f": .file(file), "s": stream("xyz", length: nil)])
    #expect(posted.body.isRepeatable)
    for count in [0, 1, 3] {
      var chunks = posted.body.makeAsyncIterator()
      for _ in 0..<count { _ = try await chunks.next() }
    }
    let whole = try await posted.body.collect()
    #expect(try await posted.body.collect() == whole)
    #expect(whole.range(of: large) != nil)
  }

  @Test func `a part that is read once is sent once`() async throws {
    let once = RequestBody.stream(once: [Data("x".utf8)].async)
    let posted = try await PostedForm(["a": "b", "s": once])
    #expect(!posted.body.isRepeatable)
    #expect(try await posted.text.contains("\r\n\r\nx\r\n"))
    await #expect(throws: (any Error).self) { try await posted.body.collect() }
  }

  @Test func `a redirect sends the same bytes`() async throws {
    let stub = StubTransport(clock: TestClock())
    let file = try folder.file("f.txt", Data("file".utf8))
    stub.stub(
      .post, "/upload", with: .status(.temporaryRedirect, [.location: "/upload"]),
      .status(.noContent))
    let form: MultipartForm = ["a": "b", "f": .file(file), "s": stream("xyz", length: nil)]
    try await Client.stubbed(by: stub).send(
      Request<Void>.post("/upload", body: .multipart(form)))
    let bodies = stub.requests.map(\.body?.data)
    #expect(bodies.count == 2 && bodies[0] != nil && bodies[0] == bodies[1])
    let types = Set(stub.requests.map(\.head.headerFields[.contentType]))
    #expect(types.count == 1)
  }

  @Test func `a missing file is an error before anything is sent`() async throws {
    let stub = StubTransport()
    let client = Client.stubbed(by: stub)
    for (file, kind) in [
      (folder.url.appending(path: "none"), Client.FileFailure.Kind.notFound),
      (folder.url, .other),
    ] {
      let form: MultipartForm = ["a": "b", "f": .file(file)]
      let result = await client.result(of: Request<Void>.post("/upload", body: .multipart(form)))
      let failure = try #require(result.failure?.fileFailure)
      #expect(failure.kind == kind && failure.path.hasPrefix(folder.url.path))
    }
    #expect(stub.requests.isEmpty)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read every file"))
  func `a file that may not be read fails the form`() async throws {
    let stub = StubTransport()
    let file = try folder.file("secret", Data("x".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
    let result = await Client.stubbed(by: stub).result(
      of: Request<Void>.post("/upload", body: .multipart(["f": .file(file)])))
    #expect(result.failure?.fileFailure?.kind == .notPermitted && stub.requests.isEmpty)
  }

  @Test(arguments: [0, 999_999, 1_000_001])
  func `a file that changes fails the form`(count: Int) async throws {
    let file = try folder.file("large", large)
    let posted = try await PostedForm(["f": .file(file)])
    try Data(count: count).write(to: file)
    await #expect(throws: (any Error).self) { try await posted.body.collect() }
  }

  @Test func `a stream of another length fails the form`() async throws {
    for length in [2, 4] as [Int64] {
      let posted = try await PostedForm(["s": stream("abc", length: length), "a": "b"])
      await #expect(throws: (any Error).self) { try await posted.body.collect() }
    }
  }

  @Test func `only a form that is read while it is sent may take long`() async throws {
    let file = try folder.file("large", large)
    #expect(try await PostedForm(["a": "b", "f": .file(file)]).limits.total == nil)
    #expect(try await PostedForm(["s": stream("abc", length: 3)]).limits.total == nil)
    #expect(try await PostedForm(["a": "b"]).limits.total == Limits().total)
  }

  @Test func `a part reports its own progress`() async throws {
    let reports = Mutex<[TransferProgress]>([])
    let part = RequestBody.data(Data("abc".utf8)).onProgress { report in
      reports.withLock { $0.append(report) }
    }
    let posted = try await PostedForm(["a": "b", "p": .body(part)])
    #expect(try await posted.text.contains("\r\n\r\nabc\r\n--B"))
    #expect(reports.withLock { $0.last?.fraction } == 1)
  }

  @Test func `progress counts the whole form`() async throws {
    let reports = Mutex<[TransferProgress]>([])
    let file = try folder.file("large", large)
    let body = RequestBody.multipart(["a": "b", "f": .file(file)]).onProgress { report in
      reports.withLock { $0.append(report) }
    }
    let posted = try await PostedForm(body)
    #expect(posted.contentType.contains("; boundary=curlew-"))
    let count = Int64(try await posted.body.collect().count)
    let last = try #require(reports.withLock { $0.last })
    #expect(last.completed == count && last.total == count && count > 1_000_000)
  }
}

extension Array where Element: Sendable {
  /// The elements as an asynchronous sequence.
  fileprivate var async: AsyncStream<Element> {
    AsyncStream { elements in
      for element in self { elements.yield(element) }
      elements.finish()
    }
  }
}
