import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewJSON
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
  /// A repository with all the members of GitHub's responses.
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

  /// Creates clients that request a response of the given size.
  init(port: Int, _ size: ResponseSize) throws {
    // Each request has a distinct URL, as in real apps.
    let url = { @Sendable (owner: String, name: String) in
      "http://127.0.0.1:\(port)/\(size.rawValue)/\(owner)/\(name)?per_page=\(30)&state=open"
    }
    // The default decoder of Curlew's client, for all clients: the benchmark does not measure decoders.
    let decoder = FastJSONDecoder()
    var configuration = HTTPClient.Configuration()
    // Curlew's pool size.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
    let http = HTTPClient(configuration: configuration)
    self.http = http
    rawAsyncHTTPClient = {
      var request = HTTPClientRequest(url: url("apple", "swift"))
      request.headers.add(name: "Accept", value: "application/json")
      request.headers.add(name: "User-Agent", value: "bench")
      let response = try await http.execute(request, timeout: .seconds(60))
      guard response.status == .ok else { throw HTTPClientError.invalidURL }
      let body = try await response.body.collect(upTo: 64 * 1024 * 1024)
      _ = try decoder.decode(Repository.self, from: Data(buffer: body))
    }

    let base = try BaseURL("http://127.0.0.1:\(port)")
    let client = Client(baseURL: base) { $0.transport = .asyncHTTPClient }
    let endpoint = { @Sendable (owner: String, name: String) in
      Request<Repository>.get(
        "/\(size.rawValue)/\(owner)/\(name)", query: ["per_page": 30, "state": "open"])
    }
    curlew = { _ = try await client.send(endpoint("apple", "swift")) }

    let sessionConfiguration = URLSessionConfiguration.ephemeral
    sessionConfiguration.httpMaximumConnectionsPerHost = 64
    sessionConfiguration.urlCache = nil
    let session = URLSession(configuration: sessionConfiguration)
    rawURLSession = {
      guard let target = URL(string: url("apple", "swift")) else { return }
      let (data, _) = try await session.data(from: target)
      _ = try decoder.decode(Repository.self, from: data)
    }

    let slow = Client(baseURL: base) { $0.transport = .urlSession }
    curlewOnURLSession = { _ = try await slow.send(endpoint("apple", "swift")) }
  }

  func shutDown() async throws {
    try await http.shutdown()
    try await AsyncHTTPClientTransport.shutdownShared()
  }
}
