import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A large transfer in a separate process, whose peak memory is measured.
enum Transfer: String, CaseIterable {
  case idle
  case curlewDown = "curlew-down"
  case sessionDown = "session-down"
  case rawDown = "raw-down"
  case curlDown = "curl-down"
  case curlewUp = "curlew-up"
  case sessionUp = "session-up"
  case rawUp = "raw-up"
  case curlUp = "curl-up"

  var name: String {
    switch self {
    case .idle: "idle"
    case .curlewDown: "Curlew on AsyncHTTPClient, download to a file"
    case .sessionDown: "Curlew on URLSession, download to a file"
    case .rawDown: "raw AsyncHTTPClient, stream to a file"
    case .curlDown: "curl -o"
    case .curlewUp: "Curlew on AsyncHTTPClient, upload of a file"
    case .sessionUp: "Curlew on URLSession, upload of a file"
    case .rawUp: "raw AsyncHTTPClient, stream of a file"
    case .curlUp: "curl -T"
    }
  }

  /// Runs in the child process: `transfer KIND PORT SIZE FILE`.
  ///
  /// Prints the seconds and the peak memory in KB.
  static func run(_ arguments: ArraySlice<String>) async throws {
    let arguments = Array(arguments)
    guard arguments.count == 4, let kind = Transfer(rawValue: arguments[0]),
      let port = Int(arguments[1]), let size = Int(arguments[2])
    else { throw BadArguments() }
    let clock = ContinuousClock()
    // The first request connects, and allocates memory that the process keeps.
    try await kind.transfer(port: port, size: 1, file: arguments[3] + ".small")
    let start = clock.now
    if kind != .idle { try await kind.transfer(port: port, size: size, file: arguments[3]) }
    print("\((clock.now - start) / .seconds(1)) \(try peakMemory())")
    fflush(nil)
    // Without waiting for the connections to close.
    exit(0)
  }

  struct BadArguments: Error {}

  private func transfer(port: Int, size: Int, file path: String) async throws {
    let file = URL(filePath: path)
    let isSession = self == .sessionDown || self == .sessionUp
    let client = Client(baseURL: try BaseURL("http://127.0.0.1:\(port)")) {
      $0.transport = isSession ? URLSessionTransport.urlSession : .asyncHTTPClient
    }
    switch self {
    case .idle:
      _ = try await client.send(Request<Data>.get("/bytes/1"))
    case .curlewDown, .sessionDown:
      try? FileManager.default.removeItem(at: file)
      _ = try await client.download(.get("/bytes/\(size)"), to: file)
    case .curlewUp, .sessionUp:
      if size == 1 { try Data(count: 1).write(to: file) }
      try await client.send(Request<Void>.put("/sink", body: .file(file)).limits { $0.idle = nil })
    case .rawDown: try await Self.rawDown(port, size, file)
    case .rawUp:
      if size == 1 { try Data(count: 1).write(to: file) }
      try await Self.rawUp(port, file)
    case .curlDown: try Self.curl("-o", path, "http://127.0.0.1:\(port)/bytes/\(size)")
    case .curlUp:
      if size == 1 { try Data(count: 1).write(to: file) }
      try Self.curl("-H", "Expect:", "-T", path, "http://127.0.0.1:\(port)/sink")
    }
  }

  private static let http = HTTPClient(configuration: .curlew)

  private static func rawDown(_ port: Int, _ size: Int, _ file: URL) async throws {
    let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/bytes/\(size)")
    let response = try await http.execute(request, timeout: .hours(1))
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    for try await chunk in response.body { try handle.write(contentsOf: Data(buffer: chunk)) }
    try handle.close()
  }

  private static func rawUp(_ port: Int, _ file: URL) async throws {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/sink")
    request.method = .PUT
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    let chunks = FileChunks(handle: try FileHandle(forReadingFrom: file))
    request.body = .stream(chunks, length: .known(Int64(size)))
    let response = try await http.execute(request, timeout: .hours(1))
    for try await _ in response.body {}
  }

  private struct FileChunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let handle: FileHandle
    func makeAsyncIterator() -> Self { self }
    func next() async throws -> ByteBuffer? {
      guard let data = try handle.read(upToCount: 128 << 10), !data.isEmpty else { return nil }
      return ByteBuffer(data: data)
    }
  }

  private static func curl(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["curl", "--silent", "--fail"] + arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BadArguments() }
  }
}
