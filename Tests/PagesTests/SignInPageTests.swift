import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// The recipe of SignIn.md, compiled and run.
@Suite("The page about signing in", .timeLimit(.minutes(1)))
struct SignInPageTests {
  @Test func `a user signs in, stays signed in and signs out`() async throws {
    let stub = StubTransport()
    let saved = Mutex<[String?]>([])
    stub.stub(
      .post, "/token", with: .json(#"{"access_token": "a1", "refresh_token": "r1"}"#),
      .json(#"{"access_token": "a2", "refresh_token": "r2"}"#),
      .json(#"{"error": "invalid_grant"}"#, status: .badRequest))
    stub.stub(
      .get, "/notes", with: .status(.unauthorized), .json("[]"), .status(.unauthorized),
      .json("[]"))
    let backend = Backend(transport: stub, token: nil) { token in
      saved.withLock { $0.append(token?.access.value) }
    }
    let notes = Request<[Int]>.get("/notes")
    #expect(!backend.isSignedIn.value)
    try await backend.signIn("ann", "secret")
    #expect(backend.isSignedIn.value)
    #expect(try await backend.api.send(notes) == [])
    let error = await #expect(throws: Client.Error.self) { try await backend.api.send(notes) }
    guard case .cancelled = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(!backend.isSignedIn.value)
    #expect(saved.withLock { $0 } == ["a1", "a2", nil])
    #expect(try await backend.api.send(notes) == [])
    #expect(
      stub.requests.map { $0.head.headerFields[.authorization] } == [
        nil, "Bearer a1", nil, "Bearer a2", "Bearer a2", nil, nil,
      ])
    await backend.api.signOut()
  }
}
