import CurlewDigest
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@testable import Curlew

/// Users who share a cache, with credentials from middlewares above it (Digest) and below it (cookies).
@Suite(.timeLimit(.minutes(1)))
struct CacheCredentialTests {
  private enum Scheme: CaseIterable {
    case digest, cookies
  }

  private static let page = Request<String>.get("/page")

  /// Responds with a page for the user, with the same fields for all users.
  private static func respond(_ exchange: Exchange) async throws {
    let fields = [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")]
    if let user = exchange.request["X-User"] {
      return try await exchange.respond(200, [("Set-Cookie", "user=\(user)")])
    }
    let credentials = exchange.request["Authorization"] ?? exchange.request["Cookie"] ?? ""
    guard let user = credentials.firstMatch(of: /user(?:name)?="?(\w+)/)?.1 else {
      let challenge = #"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="n""#
      return try await exchange.respond(401, fields + [("WWW-Authenticate", challenge)], "nobody")
    }
    guard exchange.request["If-None-Match"] == nil else {
      return try await exchange.respond(304, fields)
    }
    try await exchange.respond(200, fields, "page of \(user)")
  }

  /// Returns a client whose user has signed in.
  private static func client(
    of user: String, _ scheme: Scheme, _ server: FaultServer, _ cache: ResponseCache
  ) async throws -> Client {
    let client = try TransportUnderTest.asyncHTTPClient.client(server) {
      $0.cache = cache
      switch scheme {
      case .digest: $0.middleware = [.digestAuthentication(user: user, password: "pa55word")]
      case .cookies: $0.networkMiddleware = [.cookies()]
      }
    }
    if scheme == .cookies {
      try await client.send(Request<Void>.post("/", headerFields: [.init("X-User")!: user]))
    }
    return client
  }

  @Test(arguments: Scheme.allCases)
  private func `users of one cache never see each other's pages`(scheme: Scheme) async throws {
    try await withFaultServer { server in
      server.handle { try await Self.respond($0) }
      let cache = ResponseCache.memory()
      var clients: [(page: String, client: Client)] = []
      for user in ["ann", "bob"] {
        clients.append(("page of \(user)", try await Self.client(of: user, scheme, server, cache)))
      }
      for mode in [CacheMode.standard, .reload, .cacheElseLoad] {
        for (page, client) in clients + clients.reversed() {
          let response = try await client.response(for: Self.page, cache: mode)
          #expect(response.value == page)
          if scheme == .cookies {
            #expect(
              response.cacheStatus?.notStoredReason?.contains("Credentials were added") == true)
          }
        }
      }
      await withTaskGroup { group in
        for (page, client) in clients + clients + clients {
          group.addTask {
            let value = try? await client.send(Self.page)
            #expect(value == page)
          }
        }
      }
      if scheme == .cookies { #expect(await cache.contents().isEmpty) }
    }
  }

  @Test(arguments: Scheme.allCases)
  private func `named users have pages of their own`(scheme: Scheme) async throws {
    try await withFaultServer { server in
      server.handle { try await Self.respond($0) }
      let storage = MemoryCacheStorage()
      var clients: [(page: String, client: Client)] = []
      for user in ["ann", "bob"] {
        let cache = ResponseCache(storage, account: { _ in user })
        clients.append(("page of \(user)", try await Self.client(of: user, scheme, server, cache)))
      }
      for mode in [CacheMode.standard, .standard, .reload, .cacheOnly] {
        for (page, client) in clients {
          let response = try await client.response(for: Self.page, cache: mode)
          #expect(response.value == page)
        }
      }
      let owners = await storage.contents().map(\.key.account)
      #expect(Set(owners) == ["ann", "bob"] && owners.count == 2)
    }
  }
}
