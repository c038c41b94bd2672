import Foundation
import OSLog

// MARK: Network

struct APIClient: Sendable {
  let baseURL: URL
  var headers: [String: String] = [:]
  /// Query items for every request, such as a key; queries are never logged.
  var query: [String: String] = [:]
  var session = URLSession.shared

  private static let log = Logger(subsystem: "Showcase", category: "network")

  func get<Payload: Decodable & Sendable>(_ path: String, query: [String: String] = [:])
    async throws -> Payload
  {
    let request = try makeRequest(path, query: self.query.merging(query) { $1 })
    let data = try await retrying { try await send(request) }
    return try JSONDecoder.snakeCase.decode(Payload.self, from: data)
  }

  private func makeRequest(_ path: String, query: [String: String]) throws -> URLRequest {
    let endpoint = baseURL.appending(path: path)
    var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true)
    if !query.isEmpty {
      components?.queryItems = query.sorted { $0.key < $1.key }.map {
        URLQueryItem(name: $0.key, value: $0.value)
      }
      // URLComponents doesn't encode a plus, which servers decode as a space.
      let encoded = components?.percentEncodedQuery?.replacing("+", with: "%2B")
      components?.percentEncodedQuery = encoded
    }
    guard let url = components?.url else { throw URLError(.badURL) }
    var request = URLRequest(
      url: url, cachePolicy: .reloadRevalidatingCacheData, timeoutInterval: 20)
    request.allHTTPHeaderFields = headers
    return request
  }

  private func send(_ request: URLRequest) async throws -> Data {
    let (data, response) = try await session.data(for: request)
    guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    let path = request.url?.path() ?? ""
    Self.log.debug("GET \(path, privacy: .public): \(answer.statusCode)")
    guard 200..<300 ~= answer.statusCode else { throw APIError(answer, body: data) }
    return data
  }
}
