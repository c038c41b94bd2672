import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The value that every client decodes.
struct Repository: Decodable, Sendable {
  struct Owner: Decodable, Sendable {
    let login: String
    let id: Int
  }

  let id: Int
  let full_name: String
  let owner: Owner
  let description: String
  let stargazers_count: Int
  let topics: [String]
}

/// The size of the requested response.
enum ResponseSize: String, CaseIterable {
  /// A repository with all the members that GitHub sends.
  case whole = "repos"
  /// A repository with a few members.
  case short

  var name: String { self == .whole ? "5 KB, a repository as GitHub sends it" : "1 KB" }
}

/// The clients to compare, each as a function that sends a request and decodes its response.
struct Clients {
  typealias Send = @Sendable () async throws -> Void

  let rawAsyncHTTPClient: Send
  let curlew: Send
  let rawURLSession: Send
  let curlewOnURLSession: Send
  private let http: HTTPClient

  /// Creates clients that request a response of a size.
  init(port: Int, _ size: ResponseSize) throws {
    let url = "http://127.0.0.1:\(port)/\(size.rawValue)/apple/swift"
    var configuration = HTTPClient.Configuration()
    // The pool size of Curlew.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
    let http = HTTPClient(configuration: configuration)
    self.http = http
    rawAsyncHTTPClient = {
      var request = HTTPClientRequest(url: url)
      request.headers.add(name: "Accept", value: "application/json")
      request.headers.add(name: "User-Agent", value: "bench")
      let response = try await http.execute(request, timeout: .seconds(60))
      guard response.status == .ok else { throw HTTPClientError.invalidURL }
      let body = try await response.body.collect(upTo: 64 * 1024 * 1024)
      _ = try JSONDecoder().decode(Repository.self, from: Data(buffer: body))
    }

    let base = try BaseURL("http://127.0.0.1:\(port)")
    let client = Client(baseURL: base) { $0.transport = .asyncHTTPClient }
    let endpoint = { @Sendable in Request<Repository>.get("/\(size.rawValue)/\("apple")/\("swift")")
    }
    curlew = { _ = try await client.send(endpoint()) }

    let sessionConfiguration = URLSessionConfiguration.ephemeral
    sessionConfiguration.httpMaximumConnectionsPerHost = 64
    sessionConfiguration.urlCache = nil
    let session = URLSession(configuration: sessionConfiguration)
    let target = URL(string: url)!
    rawURLSession = {
      let (data, _) = try await session.data(from: target)
      _ = try JSONDecoder().decode(Repository.self, from: data)
    }

    let slow = Client(baseURL: base) { $0.transport = .urlSession }
    curlewOnURLSession = { _ = try await slow.send(endpoint()) }
  }

  func shutDown() async throws {
    try await http.shutdown()
    try await AsyncHTTPClientTransport.shutdownShared()
  }
}
