/// The properties of an element's name by which browsers parse markup (WHATWG HTML sections 13.1.2 and 13.2.4).
package struct ElementTraits: OptionSet {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Void elements, which have no content.
  package static let void = Self(rawValue: 1 << 0)
  /// Elements whose content is always parsed as text.
  static let raw = Self(rawValue: 1 << 1)
  /// The elements of other namespaces.
  static let foreign = Self(rawValue: 1 << 2)
  /// Elements inside ``foreign`` elements that may contain HTML.
  static let integration = Self(rawValue: 1 << 3)
  /// Elements that can't be inside a `p`, and end it.
  package static let endsParagraph = Self(rawValue: 1 << 4)
  /// Elements that browsers open again after an element that was closed around them.
  static let formatting = Self(rawValue: 1 << 5)
  /// Elements in which an end tag does not end outer elements.
  static let special = Self(rawValue: 1 << 6)
  /// Elements in which a start tag or an end tag does not end outer elements.
  static let scope = Self(rawValue: 1 << 7)
  /// Elements whose end tag is optional before the end of their parent.
  static let optionalEnd = Self(rawValue: 1 << 8)
  /// The parts of a table.
  static let tablePart = Self(rawValue: 1 << 9)
  /// A table and its parts that contain neither text nor other elements.
  static let tableStructure = Self(rawValue: 1 << 10)
  static let heading = Self(rawValue: 1 << 11)
  /// Elements that browsers ignore, replace or treat differently.
  static let refused = Self(rawValue: 1 << 12)
  /// Inline elements that end an element of another namespace.
  static let endsForeign = Self(rawValue: 1 << 13)

  private static let names: [(ElementTraits, String)] = [
    (.void, "area base br col embed hr img input link meta source track wbr"),
    (.raw, "iframe noembed noframes noscript script style textarea title xmp"),
    (.foreign, "math svg"),
    (.integration, "foreignobject desc title annotation-xml mi mo mn ms mtext"),
    (
      .endsParagraph,
      """
      address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 \
      h4 h5 h6 header hgroup hr li dd dt listing main menu nav ol p pre search section summary table ul xmp
      """
    ),
    (.formatting, "a b big code em font i nobr s small strike strong tt u"),
    (
      .special,
      """
      address applet area article aside base blockquote br button caption center col colgroup dd details dir div dl dt \
      embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr iframe img input li link listing \
      main marquee menu meta nav noembed noframes noscript object ol p pre script search section select source style \
      summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp
      """
    ),
    (.scope, "applet caption marquee object select table td template th"),
    (.optionalEnd, "dd dt li optgroup option p rp rt"),
    (.tablePart, "caption col colgroup tbody td tfoot th thead tr"),
    (.tableStructure, "colgroup table tbody tfoot thead tr"),
    (.endsForeign, "br embed img meta ruby span sub sup var"),
    (.heading, "h1 h2 h3 h4 h5 h6"),
    (
      .refused,
      "basefont bgsound body frame frameset head html image keygen param plaintext rb rtc"
    ),
  ]

  /// The traits by the fingerprint of the name.
  package static let all: [Int: ElementTraits] = names.reduce(into: [:]) { all, names in
    for name in names.1.split(separator: " ") { all[id("\(name)"), default: []].insert(names.0) }
  }

  /// Returns the fingerprint of an element's name.
  package static func id(_ name: String) -> Int {
    Array(name.utf8).withUnsafeBytes { fingerprint($0) }
  }

  static let (a, button, form, hr, li, nobr, p, rp, rt, ruby) = (
    id("a"), id("button"), id("form"), id("hr"), id("li"), id("nobr"), id("p"), id("rp"), id("rt"),
    id("ruby")
  )
  static let (dd, dt, ol, optgroup, option, select, table, template, ul) = (
    id("dd"), id("dt"), id("ol"), id("optgroup"), id("option"), id("select"), id("table"),
    id("template"), id("ul")
  )
  static let (td, th, tr, tbody, thead, tfoot, colgroup, col) = (
    id("td"), id("th"), id("tr"), id("tbody"), id("thead"), id("tfoot"), id("colgroup"), id("col")
  )
  /// The elements that may be in a table outside of its cells.
  static let allowedInTable: Set<Int> = [id("script"), id("style"), template]
  /// The elements that end a `select`, or are not allowed around it.
  static let refusedInSelect: Set<Int> = [a, form, id("input"), nobr, select, id("textarea")]
  /// The elements between a list item and an element that ends it.
  static let transparent: Set<Int> = [id("address"), id("div"), p]
}
