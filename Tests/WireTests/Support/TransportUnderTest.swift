import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import Foundation
import NIOCore
import Testing

/// The transports, which must behave equally.
enum TransportUnderTest: String, CaseIterable, CustomTestStringConvertible {
  case asyncHTTPClient
  case urlSession

  var testDescription: String { rawValue }

  /// A separate client, so that no other test shuts it down; it lives as long as the process.
  private static let httpClient = HTTPClient(configuration: .curlew)

  var transport: any Transport {
    switch self {
    case .asyncHTTPClient: AsyncHTTPClientTransport(Self.httpClient)
    case .urlSession: .urlSession
    }
  }

  /// A transport whose connections no other test can close.
  var freshTransport: any Transport {
    switch self {
    case .asyncHTTPClient: transport
    case .urlSession: URLSessionTransport()
    }
  }

  /// Lets a client process its connections' input before it reuses a connection.
  func turn() async throws {
    guard self == .asyncHTTPClient else { return }
    for loop in Self.httpClient.eventLoopGroup.makeIterator() {
      // Not immediately: an event loop polls its connections before a later task.
      try await loop.scheduleTask(in: .milliseconds(1)) {}.futureResult.get()
    }
  }

  /// Lets a client return a connection to its pool after a request with a body.
  ///
  /// A server may respond to a body's last byte before the client has written the end of the request. AsyncHTTPClient
  /// then first reports the end to the caller and then, perhaps on another event loop, to the connection pool. An
  /// immediate next request would get a new connection.
  func turnAfterABody() async throws {
    // The end is reported on one event loop, which returns the connection to another.
    for _ in 1...2 { try await turn() }
  }

  /// Creates a client of a server.
  func client(
    _ server: TestServer, path: String = "",
    configure: (inout Client.Configuration) -> Void = { _ in }
  ) throws -> Client {
    Client(baseURL: try BaseURL(server.origin + path)) {
      $0.transport = transport
      configure(&$0)
    }
  }
}

/// The limitations of `URLSession` on Linux (swift-corelibs-foundation 6.3 on libcurl 7.88), with reasons.
///
/// On Apple platforms all tests run. AsyncHTTPClient has no gaps. `GapTests` lists the affected tests;
/// `CURLEW_GAPS=run` runs them on Linux, too, to see which gaps are left: individually, because some of them end the
/// process.
enum Gap: String, CaseIterable {
  case cutHead = "a connection that is closed within a response's head aborts the process"
  case trailerFields = "a chunked body that ends with trailer fields aborts the process"
  case hugeLength = "a Content-Length of nearly 2^63 aborts the process"
  case keptConnection =
    "each request has a connection of its own: on a kept one, bytes after a response would be taken for the next one, and a POST that got no response would be sent twice"
  case spaceInASize = "what stands after a space in a chunk's size is skipped"
  case bareStatusLine = "a status line that ends after the status is refused"
  case getWithBody = "a GET with a body is refused before it is sent"
  case bytesOutsideUTF8 = "a response with a header field that is not UTF-8 is refused"
  case fieldLines = "only one of several lines of a header field is left"
  case bodyOfDeadEnd = "a redirect status without a usable Location loses its body"
  case cutCoding = "a body that is cut off within its content coding counts as whole"
  case bytesAfterBareDeflate = "bytes after the end of a body in bare DEFLATE are skipped"
  case zlibAsGzip = "a body in zlib's format is taken for gzip"
  case gzipMembers = "a gzip body of several members is refused"
  case firstByteOfBareDeflate = "a body in bare DEFLATE whose first byte comes alone is refused"
  case codingOfRedirect = "a redirect whose body is not what its coding says is an error"
  case padding =
    "bytes after the end of a coded body are skipped in one coding, and an error in another"
  case ownCoding = "a coding that libcurl does not know is refused, though the request asked for it"
}

extension TransportUnderTest {
  /// Returns all transports except transports with this gap.
  static func all(but gap: Gap) -> [Self] {
    Gap.areRun ? allCases : [.asyncHTTPClient]
  }

  /// Whether the transport reuses connections.
  var keepsConnections: Bool { Self.all(but: .keptConnection).contains(self) }
}

extension Gap {
  /// Whether the tests of gaps run with `URLSession`, too.
  static var areRun: Bool {
    #if os(Linux)
      ProcessInfo.processInfo.environment["CURLEW_GAPS"] == "run"
    #else
      true
    #endif
  }
}
