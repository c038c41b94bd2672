import CurlewLive
import Foundation
import HTTPTypes

extension PageProbe {
  static var fieldSelector: String { "input, select, textarea" }
  private static var controlSelector: String {
    "button, a[href], summary, [role=button], [data-live-click], input[type=submit], "
      + "input[type=button], input[type=image], input[type=reset], input[type=checkbox], "
      + "input[type=radio]"
  }

  /// Clicks a button, a link, a checkbox or a radio button.
  public func click(_ control: Locator) async throws {
    guard await comesNext("click(\(control.code))") else { return }
    let element = try find("button or link", controls(Self.controlSelector), control)
    var control = element
    if let label = element.closest("label"), !element.isChoice {
      let inner = label.matching("input").first { $0.isChoice }
      control =
        label.attributes["for"].flatMap { id in
          document.descendants.first { $0.attributes["id"] == id }
        } ?? inner ?? element
    }
    focus = control.isChoice ? control.identity : nil
    if control.isChoice { choose(control) }
    try await act(on: control)
    try await settle()
  }

  /// Types a text into a field in place of its text, up to its `maxlength`; it arrives at once, as a pasted text does.
  public func type(_ field: Locator, _ text: String) async throws {
    guard await comesNext("type(\(field.code), \(text.debugDescription))") else { return }
    let element = try find("field", controls(Self.fieldSelector).filter { !$0.isChoice }, field)
    guard element.attributes["readonly"] == nil else {
      throw PageFailure.disabled(name: element.name(in: document))
    }
    var text = text
    let limit = element.attributes["maxlength"].flatMap { UInt($0) } ?? .max
    while text.utf16.count > limit { text.removeLast() }
    (focus, contents[element.identity]) = (element.identity, text)
    if isScripted, let name = element.attributes["data-live-input"] {
      push(name, text, isEdit: true)
    }
    try await settle()
  }

  /// Chooses the option of a select that has a text.
  public func choose(_ field: Locator, _ option: String) async throws {
    guard await comesNext("choose(\(field.code), \(option.debugDescription))") else { return }
    let element = try find("select", controls("select"), field)
    let options = element.matching("option")
    guard let chosen = options.first(where: { $0.text == option }) else {
      throw PageFailure.notFound(kind: "option", name: option, others: options.map(\.text))
    }
    (focus, contents[element.identity]) = (element.identity, chosen.value)
    if isScripted, let name = element.attributes["data-live-input"] {
      push(name, chosen.value, isEdit: true)
      live?.isTyping = false
    }
    try await settle()
  }

  /// Submits a form, or the form around an element, as the Enter key in one of its fields does; by default, the form of
  /// the field that was typed into, chosen in or clicked last, or else the only form.
  public func submit(_ form: Locator? = nil) async throws {
    guard await comesNext("submit(\(form?.code ?? ""))") else { return }
    let element = try formToSubmit(form)
    let button = element.matching("button, input[type=submit], input[type=image]")
      .first { $0.isOf("submit", "image", "text") }
    try await submit(element, by: button)
    try await settle()
  }

  private func formToSubmit(_ locator: Locator?) throws(PageFailure) -> PageElement {
    let forms = controls("form")
    let names = forms.map { form in form.attributes["id"].map { "#\($0)" } ?? "form" }
    var inner = controls(Self.fieldSelector).first { $0.identity == focus }
    if let locator { inner = try find("form", forms, locator) }
    guard inner != nil || forms.count < 2 else {
      throw .ambiguous(kind: "form", name: names.joined(separator: ", "), count: forms.count)
    }
    if let form = inner.map(form) ?? forms.first { return form }
    let name = locator?.selector ?? inner?.name(in: document) ?? ""
    let kind = inner == nil ? "form" : "form around the element"
    throw .notFound(kind: kind, name: name, others: names)
  }

  /// Returns the form to which a control belongs.
  private func form(of control: PageElement) -> PageElement? {
    control.attributes["form"].flatMap { id in
      document.matching("form").first { $0.attributes["id"] == id }
    } ?? control.closest("form")
  }

  /// Scrolls to the elements that match a selector, so that those with `data-live-appear` send their action.
  public func scroll(to selector: String) async throws {
    guard await comesNext("scroll(to: \(selector.debugDescription))") else { return }
    for element in document.matching(selector) {
      guard isScripted, let name = element.attributes["data-live-appear"] else { continue }
      push(name, element.attributes["data-live-value"] ?? "")
    }
    try await settle()
  }

  /// Whether the page's script handles the user's input.
  private var isScripted: Bool { live?.isPlain == false }

  /// The text fields whose content the script sends.
  var textFields: [PageElement] {
    controls("input, textarea").filter {
      !$0.isChoice && !$0.isButton && !$0.isOf("file", "password")
    }
  }

  /// Returns the elements that match a selector, and that the user can see.
  func controls(_ selector: String) -> [PageElement] {
    document.matching(selector).filter {
      $0.closest("[hidden], dialog:not([open])") == nil && !$0.isOf("hidden")
    }
  }

  private func find(
    _ kind: String, _ candidates: [PageElement], _ locator: Locator
  ) throws(PageFailure) -> PageElement {
    guard let name = locator.name else {
      let selector = locator.selector ?? ""
      guard let element = document.matching(selector).first else {
        throw .notFound(kind: "element", name: selector, others: [])
      }
      return try enabled(element)
    }
    let named = candidates.filter { element in
      locator.selector.map { element.closest($0) != nil } ?? true
    }.map { (element: $0, name: $0.name(in: document)) }
    let exact = named.filter { $0.name == name }
    let found = exact.isEmpty ? named.filter { $0.name.contains(name) } : exact
    guard let first = found.first else {
      throw .notFound(kind: kind, name: name, others: named.map(\.name).filter { !$0.isEmpty })
    }
    guard found.count == 1 else { throw .ambiguous(kind: kind, name: name, count: found.count) }
    return try enabled(first.element)
  }

  private func enabled(_ element: PageElement) throws(PageFailure) -> PageElement {
    if element.closest("[disabled]") != nil { throw .disabled(name: element.name(in: document)) }
    return element
  }

  /// Toggles a checkbox, or chooses a radio button in place of the others with its name.
  private func choose(_ control: PageElement) {
    if control.isOf("radio") {
      for other in controls("input[type=radio]")
      where other.attributes["name"] == control.attributes["name"] { contents[other.identity] = "" }
    }
    let isOn = control.isOf("radio") || content(of: control).isEmpty
    contents[control.identity] = isOn ? "on" : ""
    if isScripted, let name = control.attributes["data-live-input"] {
      push(name, control.value, isEdit: true)
      live?.isTyping = false
    }
  }

  /// Does what a click on an element does.
  private func act(on element: PageElement) async throws {
    if isScripted, let clicked = element.closest("[data-live-click]") {
      let row = clicked.attributes["data-live-row"].flatMap { _ in clicked.closest("[data-key]") }
      let value = clicked.attributes["data-live-value"] ?? row?.attributes["data-key"] ?? ""
      return push(clicked.attributes["data-live-click"] ?? "", value)
    }
    if let link = element.closest("a[href]") {
      return try await follow(link.attributes["href"] ?? "", by: link)
    }
    guard let button = element.closest("button, input"), !button.isChoice,
      button.isOf("submit", "image", "text"),
      let form = form(of: button)
    else { return }
    try await submit(form, by: button)
  }

  /// Navigates to an address, by the page's script if it leads to a live page.
  func follow(_ address: String, by link: PageElement? = nil) async throws {
    if address.hasPrefix("#") { return }
    let url = url(of: address)
    let isLive =
      isScripted && link?.closest("[data-live-load], [download]") == nil
      && url?.host() == "localhost" && live?.isLive(url?.path(percentEncoded: true) ?? "") == true
    try await load(address, isVisit: isLive, isNewEntry: true)
    if isLive, status.code >= 400 { try await load(address) }
  }

  private func submit(_ form: PageElement, by button: PageElement?) async throws {
    var fields = form.matching(Self.fieldSelector).filter { field in
      field.attributes["name"] != nil && field.attributes["disabled"] == nil && !field.isButton
        && !field.isOf("file") && !(field.isChoice && content(of: field).isEmpty)
    }.map { [$0.attributes["name"] ?? "", $0.isChoice ? $0.value : content(of: $0)] }
    if let name = button?.attributes["name"] {
      fields.append([name, button?.attributes["value"] ?? ""])
    }
    let own = button?.attributes["formaction"]
    if isScripted, own == nil, let name = form.attributes["data-live-submit"] {
      return push(name, "", fields: fields)
    }
    let action = own ?? form.attributes["action"] ?? address
    let text = fields.map { field in
      let item: LiveQuery = [field[0]: field[1]]
      return String(item.text.dropFirst())
    }.joined(separator: "&")
    if form.attributes["method"]?.lowercased() == "post" {
      try await load(action, form: text, isNewEntry: true)
    } else {
      try await load("\(action.prefix { $0 != "?" })?\(text)", isNewEntry: true)
    }
  }
}
