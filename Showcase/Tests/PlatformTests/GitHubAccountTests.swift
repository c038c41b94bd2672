import Curlew
import CurlewTesting
import Platform
import Synchronization
import Testing

/// The account of the apps.
@Suite(.timeLimit(.minutes(1)))
struct GitHubAccountTests {
  @Test func `tokens are kept from the sign in to the sign out`() async throws {
    let stub = StubTransport(servesSamples: false)
    let saved = Mutex<[BearerToken?]>([])
    let account = GitHubAccount(nil, renewedBy: .stubbed(by: stub)) { token in
      saved.withLock { $0.append(token) }
    } client: { session in
      .stubbed(by: stub) { $0.middleware = [session] }
    }
    stub.stub(.post, "/login/oauth/access_token", with: .json("{}", status: .badRequest))
    #expect(try await !account.signIn("eve") && !account.isSignedIn)
    stub.stub(
      .post, "/login/oauth/access_token",
      with: .json(#"{"access_token": "a", "refresh_token": "r", "scope": "public_repo"}"#))
    #expect(try await account.signIn("ada") && account.isSignedIn)
    let token = BearerToken(access: Sensitive("a"), refresh: Sensitive("r"))
    #expect(saved.withLock { $0 } == [token])
    stub.stub(.delete, "/applications/showcase/grant", with: .json("", status: .noContent))
    await account.signOut()
    #expect(saved.withLock { $0 } == [token, nil] && !account.isSignedIn)
    let last = try #require(stub.requests.last)
    #expect(last.head.method == .delete && last.head.headerFields[.authorization] == nil)
  }
}
