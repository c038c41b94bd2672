import CurlewJSON
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FastJSONDecoderTests {
  @Test func decodesAnObject() throws {
    struct Dog: Decodable, Equatable { let name: String }
    let dog = try FastJSONDecoder().decode(Dog.self, from: Data(#"{"name": "Shiba"}"#.utf8))
    #expect(dog == Dog(name: "Shiba"))
  }
}
