import Curlew
import CurlewScreens
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

  @Test func `a late response does not replace newer songs`() async throws {
    let yesterday = Song(trackId: 1, trackName: "Yesterday", artistName: "The Beatles")
    let responses = PendingResponses<String, [Song]>()
    let probe = ScreenProbe(Search.songs { try await responses.next(for: $0) })

    probe.send(.term("yes"))
    probe.advance(by: .milliseconds(500))
    probe.send(.term("yesterday"))
    probe.advance(by: .milliseconds(500))
    #expect(responses.waiting == ["yes", "yesterday"])

    responses.reply(.success([yesterday]), to: 1)
    responses.reply(.success([]))
    probe.settle()
    #expect(probe.state.items == [yesterday])
  }
}
