import Curlew
import CurlewTesting
import Testing

struct SongSearchTests {
  @Test func `the client decodes songs`() async throws {
    let stub = StubTransport()
    let client = Client.stubbed(by: stub)
    let body = #"{"results": [{"trackId": 1, "trackName": "Help!", "artistName": "The Beatles"}]}"#
    stub.stub(.get, "/search", with: .json(body))

    let songs = try await client.send(ITunes.songs("help & more")).results
    #expect(songs.map(\.trackName) == ["Help!"])
    #expect(stub.requests[0].url.hasSuffix("/search?term=help%20%26%20more&entity=song"))
  }
}
