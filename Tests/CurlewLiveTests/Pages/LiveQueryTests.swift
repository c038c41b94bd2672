import CurlewLive
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LiveQueryTests {
  @Test(arguments: ["apple/swift", "a b", "1+1=2&3", "100%", "#?;", "Größe 日本 🌱", "\"<'>", "\n\t"])
  func valuesSurviveTheAddress(value: String) {
    let query: LiveQuery = ["q": value]

    #expect(LiveQuery(query.text) == query)
    #expect(LiveQuery(query.text)["q"] == value)
  }

  @Test func slashesStayReadable() {
    #expect(LiveQuery(dictionaryLiteral: ("q", "apple/swift")).text == "?q=apple/swift")
  }

  @Test func nilValuesAreLeftOut() {
    let query: LiveQuery = ["q": nil, "issue": "7"]

    #expect(query.text == "?issue=7")
    #expect(LiveQuery(dictionaryLiteral: ("q", nil)).text == "")
  }

  @Test func formsWriteSpacesAsPlusSigns() {
    #expect(LiveQuery("q=two+words%2B")["q"] == "two words+")
  }

  @Test func theQuestionMarkMayStand() {
    #expect(LiveQuery("?q=a") == LiveQuery("q=a"))
  }

  @Test func theFirstOfEqualNamesCounts() {
    #expect(LiveQuery("q=a&q=b")["q"] == "a")
  }

  @Test func namesWithoutValuesAreEmpty() {
    #expect(LiveQuery("q&r=")["q"] == "")
    #expect(LiveQuery("q&r=")["r"] == "")
  }

  @Test func whatCanNotBeDecodedIsLeftOut() {
    #expect(LiveQuery("q=%zz&r=%FF&s=ok&%=x&&").items.map(\.name) == ["s"])
  }
}
