import CurlewFaultServer
import Foundation
import Testing

typealias TestServer = FaultServer

/// Runs a test with a server that handles every request with one function; with 200 by default.
func withTestServer<Value>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ handler: @escaping TestServer.Handler = { try await $0.respond() },
  _ test: (TestServer) async throws -> Value
) async throws -> Value {
  try await withFaultServer(sourceLocation: sourceLocation) { server in
    server.handle(handler)
    return try await test(server)
  }
}

extension Exchange {
  /// Sends zeros until the client closes the connection.
  func writeUntilClosed() async {
    let zeros = Data(count: 64 * 1024)
    while (try? await write(zeros)) != nil {}
    await closed()
  }
}
