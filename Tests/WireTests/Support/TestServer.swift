import CurlewFaultServer
import Testing

typealias TestServer = FaultServer

/// Runs a test against a server that responds to every request as one function says.
func withTestServer<Value>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ handler: @escaping TestServer.Handler, _ test: (TestServer) async throws -> Value
) async throws -> Value {
  try await withFaultServer(sourceLocation: sourceLocation) { server in
    server.handle(handler)
    return try await test(server)
  }
}
