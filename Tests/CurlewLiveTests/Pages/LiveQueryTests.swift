import CurlewLive
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LiveQueryTests {
  @Test(arguments: ["apple/swift", "a b", "1+1=2&3", "100%", "#?;", "Größe 日本 🌱", "\"<'>", "\n\t"])
  func `values survive the address`(value: String) {
    let query: LiveQuery = ["q": value]

    #expect(LiveQuery(query.text) == query)
    #expect(LiveQuery(query.text)["q"] == value)
  }

  @Test func `slashes stay readable`() {
    #expect(LiveQuery(dictionaryLiteral: ("q", "apple/swift")).text == "?q=apple/swift")
  }

  @Test func `nil values are left out`() {
    let query: LiveQuery = ["q": nil, "issue": "7"]

    #expect(query.text == "?issue=7")
    #expect(LiveQuery(dictionaryLiteral: ("q", nil)).text == "")
  }

  @Test func `forms write spaces as plus signs`() {
    #expect(LiveQuery("q=two+words%2B")["q"] == "two words+")
  }

  @Test func `the question mark may stand`() {
    #expect(LiveQuery("?q=a") == LiveQuery("q=a"))
  }

  @Test func `the first of equal names counts`() {
    #expect(LiveQuery("q=a&q=b")["q"] == "a")
  }

  @Test func `names without values are empty`() {
    #expect(LiveQuery("q&r=")["q"] == "")
    #expect(LiveQuery("q&r=")["r"] == "")
  }

  @Test func `what can not be decoded is left out`() {
    #expect(LiveQuery("q=%zz&r=%FF&s=ok&%=x&&").items.map(\.name) == ["s"])
  }
}
