import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import Testing

@Test func `Search<Dog> repeats its trace`() throws {
  let searchResponses = PendingResponses<Void, [Dog]>()
  let probe = ScreenProbe(TracedDogs.screen(searchResponses))
  probe.send(.term(""))
  probe.send(.submit)
  probe.suspend()
  probe.resume()
  probe.send(.term("g"))
  probe.advance(by: .milliseconds(500))
  probe.send(.term("great"))
  probe.advance(by: .milliseconds(620))
  try searchResponses.reply(
    .success(
      decoded(
        #"[{"coats":[],"id":"great-dane","name":"Great Dane","temperament":[],"weight":[50,80]},{"coats":[],"id":"great-pyrenees","name":"Great Pyrenees","temperament":[]}]"#
      )), to: 1)
  probe.settle()
  searchResponses.reply(.failure(CancellationError()))
  probe.settle()
  #expect(
    probe.stateText == #"""
      field.text: "great"
      field.query: "great"
      field.hint: nil
      field.term: "great"
      results: .content
      results.content[0].name: "Great Dane"
      results.content[0].id: "great-dane"
      results.content[0].origin: nil
      results.content[0].group: nil
      results.content[0].weight: 50...80
      results.content[0].lifespan: nil
      results.content[0].coats: []
      results.content[0].temperament: []
      results.content[0].picture: nil
      results.content[1].name: "Great Pyrenees"
      results.content[1].id: "great-pyrenees"
      results.content[1].origin: nil
      results.content[1].group: nil
      results.content[1].weight: nil
      results.content[1].lifespan: nil
      results.content[1].coats: []
      results.content[1].temperament: []
      results.content[1].picture: nil
      results.content.asOf: nil
      """#)
}

private func decoded<Value: Decodable>(_ json: String) throws -> Value {
  try JSONDecoder().decode(Value.self, from: Data(json.utf8))
}
