import Curlew
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// The text between the parts of a form.
@Suite(.timeLimit(.minutes(1)))
struct MultipartBoundaryTests {
  @Test func everyRequestHasABoundaryOfItsOwn() async throws {
    let body = RequestBody.multipart(["a": "b"])
    var boundaries: Set<String> = []
    for _ in 0..<100 { boundaries.insert(try await PostedForm(body).boundary) }
    #expect(boundaries.count == 100)
    for boundary in boundaries {
      #expect(boundary.wholeMatch(of: /curlew-[A-Za-z0-9]{24}/) != nil)
    }
  }

  @Test func aSeedGivesTheSameBytes() async throws {
    let body = RequestBody.multipart(["a": "b"], using: SeededGenerator(seed: 7))
    let (one, other) = (try await PostedForm(body), try await PostedForm(body))
    #expect(one.contentType == other.contentType)
    #expect(one.body.data == other.body.data)
  }

  @Test func aBoundaryThatAPartContainsIsNotUsed() async throws {
    let generator = SeededGenerator(seed: 7)
    let taken = try await PostedForm(.multipart([:], using: generator)).boundary
    let text = "1\r\n--\(taken)--\r\n"
    let contents: [MultipartForm.Content] = [
      .text(text), .json([taken]), .data(Data(text.utf8)),
      .data(Data(count: 100_000) + Data(text.utf8)),
      .body(.data(Data(text.utf8))), .data(Data(), fileName: taken),
    ]
    for content in contents {
      let form = MultipartForm([.init("a", .text("b")), .init("c", content)])
      let posted = try await PostedForm(.multipart(form, using: generator))
      #expect(posted.boundary != taken && posted.boundary.hasPrefix("curlew-"))
      #expect(try await posted.body.collect().range(of: Data(taken.utf8)) != nil)
    }
    let name = try await PostedForm(.multipart([taken: "b"], using: generator))
    #expect(name.boundary != taken)
  }
}
