import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Testing

/// The transports that must all behave the same.
enum TransportUnderTest: String, CaseIterable, CustomTestStringConvertible {
  case asyncHTTPClient
  case urlSession

  var testDescription: String { rawValue }

  /// A client of its own, so that no other test shuts it down; it lives as long as the process.
  private static let httpClient = HTTPClient(configuration: .curlew)

  var transport: any Transport {
    switch self {
    case .asyncHTTPClient: AsyncHTTPClientTransport(Self.httpClient)
    case .urlSession: .urlSession
    }
  }

  /// A transport whose connections no other test can push out.
  var freshTransport: any Transport {
    switch self {
    case .asyncHTTPClient: transport
    case .urlSession: URLSessionTransport()
    }
  }

  /// Makes a client of a server.
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

/// What `URLSession` can't do on Linux (swift-corelibs-foundation 6.3), and why.
///
/// On Apple platforms these tests run as all others do. AsyncHTTPClient has no gaps.
enum Gap: String, CaseIterable {
  case cutHead = "a connection that is closed within an answer's head aborts the process"
  case trailerFields = "a chunked body that ends with trailer fields aborts the process"
  case getWithBody = "a GET with a body is refused before it is sent"
  case bytesOutsideUTF8 = "an answer with a header field that is not UTF-8 is refused"
  case slowReader = "a body is taken from the server as fast as it comes, however slowly it is read"
  case bodyOfDeadEnd = "a redirect status without a usable Location loses its body"
  case cutCoding = "a body that is cut off within its content coding counts as whole"
  case bytesAfterBareDeflate = "bytes after the end of a body in bare DEFLATE are skipped"
  case zlibAsGzip = "a body in zlib's format is taken for gzip"
  case gzipMembers = "a gzip body of several members is refused"
  case firstByteOfBareDeflate = "a body in bare DEFLATE whose first byte comes alone is refused"
  case codingOfRedirect = "a redirect whose body is not what its coding says is an error"
  case ownCoding = "a coding that libcurl does not know is refused, though the request asked for it"
}

extension TransportUnderTest {
  /// All transports, without those that have this gap.
  static func all(but gap: Gap) -> [Self] {
    #if os(Linux)
      [.asyncHTTPClient]
    #else
      allCases
    #endif
  }
}

extension Client {
  /// Sends an endpoint that must fail, and returns its error.
  func failure<E: Endpoint>(
    of endpoint: E, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Client.Error {
    let result = await result(of: endpoint)
    guard case .failure(let error) = result else {
      throw Unexpected(result: "\(result)")
    }
    return error
  }

  private struct Unexpected: Swift.Error {
    let result: String
  }
}
