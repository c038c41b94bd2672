import Curlew
import CurlewTesting
import Domain
import Platform
import ShowcaseTestSupport
import Testing

/// The breeds are converted to dogs, with any members missing.
@Suite(.timeLimit(.minutes(1)))
struct KennelTests {
  let stub = StubTransport(servesSamples: false)

  @Test(arguments: [
    (#"{"min": 20, "max": 32}"#, 20...32), (#"{"min": 5, "max": 5}"#, 5...5),
    (#"{"min": 9, "max": 2}"#, nil), ("null", nil),
  ])
  func `bounds the wrong way round are none`(json: String, weight: ClosedRange<Int>?) async throws {
    stub.stub(
      .get, "/dogs/breeds/x", with: .json(#"{"id": "x", "name": "X", "weight": \#(json)}"#))
    let dog = try await KennelDogs(client: .stubbed(by: stub)).dog("x")
    #expect(dog?.name == "X")
    #expect(dog?.weight == weight)
    #expect(dog?.coats == [])
  }

  @Test func `only 404 means that there is none`() async throws {
    stub.stub(.get, "/dogs/breeds/x", with: .status(.notFound))
    #expect(try await KennelDogs(client: .stubbed(by: stub)).dog("x") == nil)
    stub.stub(.get, "/dogs/breeds/y", with: .status(.forbidden))
    await #expect(throws: Client.Error.self) {
      try await KennelDogs(client: .stubbed(by: stub)).dog("y")
    }
  }
}
