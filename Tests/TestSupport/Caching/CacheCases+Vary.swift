import Curlew

/// `Vary`, and several responses for one URL.
extension CacheCases {
  private static func varying(
    _ name: String, _ vary: CacheCase.Fields, _ first: CacheCase.Fields, _ second: CacheCase.Fields,
    isReused: Bool, section: String = "9111 4.1"
  ) -> CacheCase {
    var fields = vary
    fields.lines.append(.init(name: "Cache-Control", value: "max-age=3600"))
    return CacheCase(
      section, name,
      [
        .get(with: first, origin: .ok(fields), .forwarded),
        isReused ? .get(with: second, .hit) : .get(with: second, origin: .ok(fields), .forwarded),
      ])
  }

  private static let foo: CacheCase.Fields = ["Vary": "Foo"]

  static let vary: [CacheCase] = [
    varying("the same value is reused", foo, ["Foo": "1"], ["Foo": "1"], isReused: true),
    varying("another value is not", foo, ["Foo": "1"], ["Foo": "2"], isReused: false),
    varying("a missing field is not the same", foo, ["Foo": "1"], [:], isReused: false),
    varying("an additional field is not the same", foo, [:], ["Foo": "1"], isReused: false),
    varying("an empty field is not a missing one", foo, ["Foo": ""], [:], isReused: false),
    varying("a field that is missing twice is the same", foo, [:], [:], isReused: true),
    varying(
      "other fields do not matter", foo, ["Foo": "1", "Bar": "1"], ["Foo": "1", "Bar": "2"],
      isReused: true),
    varying(
      "names have no case", ["Vary": "fOO"], ["Foo": "1"], ["foo": "1"], isReused: true),
    varying(
      "names in another case still vary", ["Vary": "FOO"], ["Foo": "1"], ["foo": "2"],
      isReused: false),
    varying("values have case", foo, ["Foo": "a"], ["Foo": "A"], isReused: false),
    varying(
      "two fields with the same values", ["Vary": "Foo, Bar"], ["Foo": "1", "Bar": "2"],
      ["Bar": "2", "Foo": "1"], isReused: true),
    varying(
      "the second of two fields varies", ["Vary": "Foo, Bar"], ["Foo": "1", "Bar": "2"],
      ["Foo": "1", "Bar": "3"], isReused: false),
    varying(
      "the second of two fields is missing", ["Vary": "Foo, Bar"], ["Foo": "1", "Bar": "2"],
      ["Foo": "1"], isReused: false),
    varying(
      "several lines of Vary are one list", ["Vary": "Foo", "vary": "Bar"],
      ["Foo": "1", "Bar": "2"], ["Foo": "1", "Bar": "3"], isReused: false),
    varying(
      "values that changed places are others", ["Vary": "Foo, Bar"], ["Foo": "1", "Bar": "2"],
      ["Foo": "2", "Bar": "1"], isReused: false),
    varying(
      "empty members of Vary are ignored", ["Vary": ", Foo,,"], ["Foo": "1"], ["Foo": "1"],
      isReused: true),
    varying("an empty Vary", ["Vary": ""], ["Foo": "1"], ["Foo": "2"], isReused: true),
    varying("* matches nothing", ["Vary": "*"], [:], [:], isReused: false),
    varying("* after a name", ["Vary": "Foo, *"], ["Foo": "1"], ["Foo": "1"], isReused: false),
    varying("* before a name", ["Vary": "*, Foo"], ["Foo": "1"], ["Foo": "1"], isReused: false),
    varying("* twice", ["Vary": "*, *"], [:], [:], isReused: false),
    varying("* after an empty member", ["Vary": ", *"], [:], [:], isReused: false),
    varying("* in a later line", ["Vary": "Foo", "vary": "*"], [:], [:], isReused: false),
    varying("* after an empty line", ["Vary": "", "vary": "*"], [:], [:], isReused: false),
    varying(
      "lines are combined", foo, ["Foo": "1, 2"], ["Foo": "1", "foo": "2"], isReused: true),
    varying(
      "white space around commas does not matter", foo, ["Foo": "1,2"], ["Foo": " 1 , 2 "],
      isReused: true),
    varying(
      "white space within a member matters", foo, ["Foo": "1 2"], ["Foo": "1  2"],
      isReused: false),
    varying(
      "white space in quotes matters", foo, ["Foo": "\"1,2\""], ["Foo": "\"1, 2\""],
      isReused: false),
    varying(
      "order matters", foo, ["Foo": "1, 2"], ["Foo": "2, 1"], isReused: false),
    varying(
      "languages have no case", ["Vary": "Accept-Language"], ["Accept-Language": "en, de;q=0.5"],
      ["Accept-Language": "EN,De; Q=0.5"], isReused: true, section: "9110 12.5.4"),
    varying(
      "languages differ", ["Vary": "Accept-Language"], ["Accept-Language": "en, de"],
      ["Accept-Language": "de"], isReused: false, section: "9110 12.5.4"),
    varying(
      "content codings have no case", ["Vary": "Accept-Encoding"],
      ["Accept-Encoding": "gzip, br"], ["Accept-Encoding": "GZIP,BR"], isReused: true,
      section: "9110 12.5.3"),
    varying(
      "an Accept with other parameters", ["Vary": "Accept"],
      ["Accept": "application/json;profile=\"A\""], ["Accept": "application/json;profile=\"a\""],
      isReused: false, section: "9110 12.5.1"),
  ]

  private static func variant(_ control: String = "max-age=3600", tag: String? = nil)
    -> CacheCase.Reply
  {
    var fields: CacheCase.Fields = ["Cache-Control": control, "Vary": "Foo"]
    if let tag { fields.lines.append(.init(name: "ETag", value: tag)) }
    return .ok(fields)
  }

  static let variants: [CacheCase] = [
    CacheCase(
      "9111 4.1", "several variants are stored",
      [
        .get(with: ["Foo": "1"], origin: variant(), .forwarded),
        .get(with: ["Foo": "2"], origin: variant(), .forwarded),
        .get(with: ["Foo": "1"], .hit(body: .of(1))),
        .get(with: ["Foo": "2"], .hit(body: .of(2))),
        .get(origin: variant(), .forwarded),
        .get(.hit(body: .of(5))),
      ]),
    CacheCase(
      "9111 4", "a new response takes the place of its variant alone",
      [
        .get(with: ["Foo": "1"], origin: variant("max-age=5"), .forwarded),
        .get(with: ["Foo": "2"], origin: variant(), .forwarded),
        .wait(6),
        .get(with: ["Foo": "1"], origin: variant(), .forwarded),
        .get(with: ["Foo": "1"], .hit(body: .of(3))),
        .get(with: ["Foo": "2"], .hit(body: .of(2))),
      ]),
    CacheCase(
      "9111 4", "the most recent response is used, by its Date",
      [
        .get(
          with: ["Foo": "1"],
          origin: .ok(["Cache-Control": "max-age=3600", "Vary": "Foo"]), .forwarded),
        .wait(10),
        .get(
          with: ["Bar": "1"],
          origin: .ok(["Cache-Control": "max-age=3600", "Vary": "Bar"]), .forwarded),
        .get(with: ["Foo": "1", "Bar": "1"], .hit(body: .of(2))),
      ]),
    CacheCase(
      "9111 4", "the most recent response is used, also if it arrived first",
      [
        .get(
          with: ["Foo": "1"],
          origin: .ok(["Cache-Control": "max-age=3600", "Vary": "Foo", "Date": "{date}"]),
          .forwarded),
        .wait(10),
        .get(
          with: ["Bar": "1"],
          origin: .ok(["Cache-Control": "max-age=3600", "Vary": "Bar", "Date": "{date-60}"]),
          .forwarded),
        .get(with: ["Foo": "1", "Bar": "1"], .hit(body: .of(1))),
      ]),
    CacheCase(
      "9111 4.1", "a response with Vary goes before a later one without",
      [
        .get(with: ["Foo": "1"], origin: variant(), .forwarded),
        .wait(10),
        .get(origin: .ok(["Cache-Control": "max-age=3600"]), .forwarded),
        .get(with: ["Foo": "1"], .hit(body: .of(1))),
        .get(with: ["Foo": "2"], .hit(body: .of(2))),
      ]),
    CacheCase(
      "9111 4", "a reload's response without Vary replaces a response with Vary",
      [
        .get(with: ["Foo": "1"], origin: variant(), .forwarded),
        .wait(10),
        .get(
          with: ["Foo": "1"], mode: .reload, origin: .ok(["Cache-Control": "max-age=3600"]),
          .forwarded),
        .get(with: ["Foo": "1"], .hit(body: .of(2))),
      ]),
    CacheCase(
      "9111 4.3.1", "the variant's own validator is sent",
      [
        .get(with: ["Foo": "1"], origin: variant("max-age=5", tag: "\"one\""), .forwarded),
        .get(with: ["Foo": "2"], origin: variant("max-age=5", tag: "\"two\""), .forwarded),
        .wait(6),
        .get(
          with: ["Foo": "1"], origin: .notModified(["ETag": "\"one\""]),
          sees: ["If-None-Match": "\"one\"", "Foo": "1"], .validated(body: .of(1))),
      ]),
    CacheCase(
      "9111 4.3.4", "a 304 freshens no other variant, though their tags are the same",
      [
        .get(with: ["Foo": "1"], origin: variant("max-age=5", tag: "\"v\""), .forwarded),
        .get(with: ["Foo": "2"], origin: variant("max-age=5", tag: "\"v\""), .forwarded),
        .wait(6),
        .get(
          with: ["Foo": "1"],
          origin: .notModified(["ETag": "\"v\"", "Cache-Control": "max-age=60"]), .validated),
        .get(with: ["Foo": "1"], .hit(body: .of(1))),
        .get(
          with: ["Foo": "2"], origin: .notModified(["ETag": "\"v\""]), .validated(body: .of(2))),
      ]),
    CacheCase(
      "9111 3.2", "a 304 that changes Vary changes what matches",
      [
        .get(
          with: ["Foo": "1", "Bar": "1"], origin: variant("max-age=5", tag: "\"v\""), .forwarded),
        .wait(6),
        .get(
          with: ["Foo": "1", "Bar": "2"],
          origin: .notModified([
            "ETag": "\"v\"", "Cache-Control": "max-age=60", "Vary": "Foo, Bar",
          ]), .validated),
        .get(with: ["Foo": "1", "Bar": "2"], .hit),
        .get(with: ["Foo": "1", "Bar": "1"], origin: .ok(), .forwarded),
      ]),
    CacheCase(
      "9111 2", "a cache is not shared by accounts",
      [
        .get(account: "anna", origin: .ok(["Cache-Control": "max-age=60"]), .forwarded),
        .get(account: "bert", origin: .ok(["Cache-Control": "max-age=60"]), .forwarded),
        .get(origin: .ok(["Cache-Control": "max-age=60"]), .forwarded),
        .get(account: "anna", .hit(body: .of(1))),
        .get(account: "bert", .hit(body: .of(2))),
        .get(.hit(body: .of(3))),
      ]),
    CacheCase(
      "9111 4", "other URLs are other responses",
      [
        .get(path: "/a?x=1", origin: .ok(["Cache-Control": "max-age=60"]), .forwarded),
        .get(path: "/a?x=2", origin: .ok(["Cache-Control": "max-age=60"]), .forwarded),
        .get(path: "/a", origin: .ok(["Cache-Control": "max-age=60"]), .forwarded),
        .get(path: "/a?x=1", .hit(body: .of(1))),
        .get(path: "/a?x=2", .hit(body: .of(2))),
      ]),
  ]
}
