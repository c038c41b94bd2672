/// The control that a test means: by its visible name, as users find it, or by a selector.
///
/// The name is the text of a button or link, or the label of a field. A control with exactly this name is meant, or else
/// the only one whose name contains it.
public struct Locator: ExpressibleByStringInterpolation, Sendable {
  let name: String?
  let selector: String?

  /// A control with a name.
  public init(stringLiteral name: String) { self = .name(name) }

  private init(_ name: String?, _ selector: String?) {
    (self.name, self.selector) = (name, selector)
  }

  /// The code of the locator in a test.
  var code: String {
    guard let name else { return ".selector(\((selector ?? "").debugDescription))" }
    return selector.map { ".name(\(name.debugDescription), in: \($0.debugDescription))" }
      ?? name.debugDescription
  }

  /// Returns the locator of a control with a name, in the element that matches a selector, such as a row.
  public static func name(_ name: String, in selector: String? = nil) -> Locator {
    Locator(name, selector)
  }

  /// Returns the locator of the first element that matches a selector.
  public static func selector(_ selector: String) -> Locator { Locator(nil, selector) }
}

/// The reason why a test can't do what a user would do.
public enum PageFailure: Error, Equatable, CustomStringConvertible {
  /// No control has the name, or no element matches the selector; the others of its kind have these names.
  case notFound(kind: String, name: String, others: [String])
  /// Several controls have the name, or the page has several forms.
  case ambiguous(kind: String, name: String, count: Int)
  /// The control is disabled, or the text of the field is read-only.
  case disabled(name: String)
  /// The page does not support the action.
  case refused(action: String, status: Int)
  /// The address leads to itself, or to more than 20 others.
  case tooManyRedirects(address: String)
  /// A document can't be loaded, because the connection is lost.
  case offline(address: String)

  /// A description of the failure, with the names that the page has.
  public var description: String {
    switch self {
    case .notFound(let kind, let name, let others):
      "no \(kind) named '\(name)'; there are: \(others.isEmpty ? "none" : others.joined(separator: ", "))"
    case .ambiguous("form", let names, _):
      "several forms: \(names); type into one, or give its selector"
    case .ambiguous(let kind, let name, let count):
      "\(count) of '\(name)' (\(kind)); name the element around it: .name(\"\(name)\", in: selector)"
    case .disabled(let name): "'\(name)' is disabled or read-only"
    case .refused(let action, let status): "the page refused the action '\(action)' with \(status)"
    case .tooManyRedirects(let address): "\(address) redirects too often"
    case .offline(let address): "\(address) can't be loaded without a connection"
    }
  }
}

extension PageElement {
  /// The name by which users find a control.
  func name(in document: PageElement) -> String {
    let id = attributes["id"]
    let label =
      id.flatMap { id in document.matching("label").first { $0.attributes["for"] == id } }
      ?? closest("label")
    let isField = ["input", "select", "textarea"].contains(name) && !isButton
    let names = [
      attributes["aria-label"], isField ? label?.labelText : text,
      isButton ? attributes["value"] : attributes["placeholder"], attributes["title"],
      matching("img").first?.attributes["alt"], attributes["name"],
    ]
    return names.compactMap(\.self).first { !$0.isEmpty } ?? ""
  }

  /// The text of a label, without the options and texts of the field in it.
  private var labelText: String {
    children.filter { !["select", "textarea"].contains($0.name) }.map(\.rawText).joined()
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether the element is an `input` that is a button.
  var isButton: Bool { name == "input" && isOf("submit", "button", "image", "reset") }

  var isChoice: Bool { name == "input" && isOf("checkbox", "radio") }

  func isOf(_ types: String...) -> Bool { types.contains(attributes["type"] ?? "text") }

  /// The name by which a new session, or a document that is loaded again, finds a field.
  var fieldKey: String {
    let name = attributes["data-live-input"] ?? attributes["name"] ?? attributes["id"] ?? ""
    return isChoice ? "\(name)=\(attributes["value"] ?? "on")" : name
  }

  /// What a field is for updates: the keys of the field and of the elements around it, in which its text is kept.
  var identity: String {
    let keys = sequence(first: self, next: \.parent).compactMap(\.key)
    return ([name, key == nil ? fieldKey : ""] + keys).joined(separator: "\n")
  }

  /// The content of a field in the markup: its text, the value of its chosen option, or "on".
  var markupContent: String {
    switch name {
    case "textarea": String(rawText.trimmingPrefix("\n"))
    case "select":
      (matching("option[selected]").last ?? matching("option:not([disabled])").first)?.value ?? ""
    default: isChoice ? attributes["checked"].map { _ in "on" } ?? "" : attributes["value"] ?? ""
    }
  }

  /// The value of an option or a choice.
  var value: String { attributes["value"] ?? (name == "option" ? text : "on") }
}
