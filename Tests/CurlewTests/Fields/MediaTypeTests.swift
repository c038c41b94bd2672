import Curlew
import HTTPTypes
import Testing

@Suite struct MediaTypeTests {
  @Test(arguments: [
    ("application/json", "application", "json"), ("TEXT/HTML", "text", "html"),
    ("  application/problem+json  ", "application", "problem+json"),
    ("application/vnd.github.v3+json; charset=utf-8", "application", "vnd.github.v3+json"),
  ])
  func typesAreRead(text: String, type: String, subtype: String) throws {
    let media = try #require(MediaType(text))
    #expect(media.type == type)
    #expect(media.subtype == subtype)
  }

  @Test(arguments: [
    "", "json", "/json", "application/", "application", "text/html/x", "text html", "text/ html",
    "text/html charset=utf-8", "täxt/html", ";", "text/html,text/plain",
  ])
  func whatIsNoTypeIsNone(text: String) {
    #expect(MediaType(text) == nil)
  }

  @Test func parametersAreReadInQuotesAndWithout() throws {
    let media = try #require(
      MediaType(#"multipart/form-data; Boundary="a; \"b\" c" ;charset=UTF-8;; x; charset=late"#))
    #expect(media.parameters == ["boundary": #"a; "b" c"#, "charset": "UTF-8"])
  }

  @Test(arguments: [
    ("application/json", true), ("application/problem+json", true), ("text/json", true),
    ("application/jsonp", false), ("text/html", false),
  ])
  func jsonIsKnown(text: String, isJSON: Bool) throws {
    let fields: HTTPFields = [.contentType: text]
    #expect(fields.mediaType?.isJSON == isJSON)
  }
}
