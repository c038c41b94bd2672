import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// `Link` header fields as defined by RFC 8288, and as servers write them.
@Suite(.timeLimit(.minutes(1)))
struct WebLinkTests {
  static func links(_ values: String...) -> [WebLink] {
    var fields = HTTPFields()
    fields[values: "Link"] = values
    return fields.links
  }

  @Test func `git hubs field is read`() throws {
    let links = Self.links(
      """
      <https://api.github.com/repositories/1000/issues?per_page=3&page=1>; rel="prev", \
      <https://api.github.com/repositories/1000/issues?per_page=3&page=3>; rel="next", \
      <https://api.github.com/repositories/1000/issues?per_page=3&page=5>; rel="last", \
      <https://api.github.com/repositories/1000/issues?per_page=3&page=1>; rel="first"
      """)
    #expect(links.map(\.relations) == [["prev"], ["next"], ["last"], ["first"]])
    #expect(
      links.next?.target == "https://api.github.com/repositories/1000/issues?per_page=3&page=3")
    #expect(links.next?["page"] == "3")
    #expect(links[relation: "prev"]?["page"] == "1")
    #expect(links[relation: "last"]?["page"] == "5")
    #expect(links[relation: "up"] == nil)
  }

  @Test func `several fields are read in their order`() throws {
    let links = Self.links("</a>; rel=next, </b>; rel=prev", "", "</c>; rel=up")
    #expect(links.map(\.target) == ["/a", "/b", "/c"])
    #expect(HTTPFields().links.isEmpty)
    #expect(([.accept: "</a>; rel=next"] as HTTPFields).links.isEmpty)
  }

  @Test(arguments: [
    "</a,b;c>;rel=next", "  </a,b;c>\t ;\trel = \"next\" ", "</a,b;c>; REL=NeXt",
    "</a,b;c>; title=\"one, two; <three>\"; rel=\"next\"", "</a,b;c>; rel=\"last  next\"",
    "</a,b;c>; crossorigin; rel=next;", "</a,b;c>; rel=next; rel=prev", ",, ,</a,b;c>; rel=next,",
    "</a,b;c>; title=\"a \\\"quoted\\\" \\\\ text\"; rel=next", "</a,b;c>; title=\"\"; rel=next",
    "</a,b;c>; ;; rel=next", "</a,b;c>; rel=next, nonsense", "nonsense, </a,b;c>; rel=next",
    "\"</x>; rel=next, \", </a,b;c>; rel=next", "</x, </a,b;c>; rel=next",
    "</x>, </a,b;c>; rel=next", "</x>; rel=, </a,b;c>; rel=next", "x</a,b;c>; rel=next",
    "</a,b;c>; rel=\"next\"garbage; x", "</a,b;c>; rel=\"next",
    // Apostrophes: alexpeattie/nitlink#2, panoramicdata/Meraki.Api#407.
    "</a,b;c>; rel='next'", "</x>; rel='last', </a,b;c>; rel='next'", "</a,b;c>; rel = 'Next' ;x",
    "</a,b;c>; rel='last next'", "</a,b;c>; title='it''s'; rel='next'",
    "</a,b;c>; title='; rel=next",
  ])
  func `next is found however it is written`(value: String) throws {
    #expect(Self.links(value).next?.target == "/a,b;c")
  }

  @Test(arguments: [
    "", ",", "<", ">", "<>", "</a", "/a; rel=next", "</a>", "</a>; rel", "</a>; rel=", ";rel=next",
    "</a>; rel=\"\"", "</a>; rel=prev; rel=next", "</a> rel=next", "\"", "\\", "</a>; rel=\"\\",
    "</a>; rel='next", "</a>; rel=next'", "</a>; rel='", "</a>; rel=''", "</a>; title=\"rel=next",
    "</a>; rel=next; anchor=\"/other\"", "</a>; rev=next",
  ])
  func `what is malformed or means something else is not next`(value: String) throws {
    #expect(Self.links(value).next == nil)
  }

  @Test func `parameters are kept by lower case name`() throws {
    let link = try #require(
      Self.links("<>; rel=\"a B\"; Title=\"x,\\\"y\"; title=z; media=print;flag").first)
    #expect(link.target == "")
    #expect(link.relations == ["a", "b"])
    #expect(
      link.parameters == ["rel": "a B", "title": "x,\"y", "media": "print", "flag": ""])
  }

  @Test(arguments: [
    ("?page=2", "2"), ("/x?a=1&page=2&page=3#page=4", "2"), ("/x?p%61ge=%32", "2"), ("/x", nil),
    ("/x?page", ""), ("/x?page=", ""), ("?q=a+b&page=a+b%2Bc", "a b+c"), ("?pages=2", nil),
    ("#?page=2", nil), ("?Page=2", nil), ("?page=%", "%"), ("?page=1=2", "1=2"),
    ("/x?a=1?page=2", nil), ("?&&page=%C3%BC", "ü"), ("/x?q=language:swift&page=2", "2"),
  ])
  func `items of the target's query are read`(target: String, page: String?) {
    #expect(WebLink(target, relations: ["NEXT"])["page"] == page)
  }

  @Test(arguments: 0..<60)
  func `damage to one field loses no link of another`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let bytes = random.mutated(
        ["</bad>; rel=\"prev\"; title=\"a, b\""], with: "<>;,=\" x", grows: false)
      let broken = String(decoding: bytes, as: UTF8.self)
      let good = "</good?page=7>; title=\"\\\",<;\"; rel=next"
      let alone = Self.links(broken, good, broken)
      #expect(alone.contains { $0.target == "/good?page=7" && $0["page"] == "7" }, "\(broken)")
      // A link before a damaged part of the same field is parsed.
      #expect(Self.links("\(good), \(broken)").first?.target == "/good?page=7", "\(broken)")
      // So is a link after it, unless the damage leaves a quotation open.
      if broken.filter({ $0 == "\"" || $0 == "\\" }).isEmpty {
        let links = Self.links("\(broken), \(good)")
        #expect(links.contains { $0.target == "/good?page=7" }, "\(broken)")
      }
    }
  }

  @Test func `time grows with the length of the field only`() throws {
    for unit in ["<", "</a>;", "</a>; rel=next,", "\"", ",", "</a>; rel=\"", "; "] {
      _ = Self.links(String(repeating: unit, count: 150_000 / unit.count))
    }
    #expect(Self.links(String(repeating: "</a>; rel=next,", count: 10_000)).count == 10_000)
  }
}
