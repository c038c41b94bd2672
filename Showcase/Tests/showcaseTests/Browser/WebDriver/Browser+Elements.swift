import Curlew
import HTTPTypes

/// Something in a page.
struct Element: Decodable, Sendable {
  let id: String

  enum CodingKeys: String, CodingKey {
    // The name is the protocol's (W3C WebDriver section 12.1).
    case id = "element-6066-11e4-a52e-4f735466cecf"
  }
}

extension Browser {
  /// Finds the first element that a CSS selector matches.
  func find(_ selector: String) async throws -> Element {
    try await send(.post, path("element"), .json(["using": "css selector", "value": selector]))
  }

  /// Finds every element that a CSS selector matches.
  func all(_ selector: String) async throws -> [Element] {
    try await send(.post, path("elements"), .json(["using": "css selector", "value": selector]))
  }

  /// Whether a CSS selector matches anything.
  ///
  /// Tests ask it most, again and again, and a script costs half of what finding elements does.
  func has(_ selector: String) async throws -> Bool {
    try await evaluate("document.querySelector(arguments[0]) !== null", selector)
  }

  /// Whether an element can be seen.
  func isDisplayed(_ element: Element) async throws -> Bool {
    try await send(.get, path("element/\(element.id)/displayed"))
  }

  /// The text of an element as it is seen.
  func text(_ selector: String) async throws -> String {
    try await ofPresent(selector) { try await send(.get, path("element/\($0.id)/text")) }
  }

  func attribute(_ name: String, of selector: String) async throws -> String? {
    try await ofPresent(selector) {
      try await send(.get, path("element/\($0.id)/attribute/\(name)"))
    }
  }

  /// What stands in a field.
  func value(_ selector: String) async throws -> String {
    try await ofPresent(selector) { try await send(.get, path("element/\($0.id)/property/value")) }
  }

  /// Asks the first element that a selector matches; again if a patch has replaced it meanwhile.
  private func ofPresent<Value>(
    _ selector: String, _ ask: (Element) async throws -> Value
  ) async throws -> Value {
    for _ in 0..<20 {
      do {
        return try await ask(try await find(selector))
      } catch let failure as Failure where failure.kind == "stale element reference" {
        continue
      }
    }
    return try await ask(try await find(selector))
  }

  /// Clicks into the middle of an element with a real pointer.
  func click(_ selector: String) async throws {
    try await send(.post, path("element/\(find(selector).id)/click"), .empty)
  }

  /// Returns the value of a JavaScript expression.
  func evaluate<Value: Decodable & Sendable>(
    _ expression: String, _ arguments: String...
  ) async throws -> Value {
    try await send(
      .post, path("execute/sync"),
      .json(Script(script: "return \(expression)", args: arguments)))
  }

  /// The element that has the focus: its id, else the key of its row, else its name.
  var focus: String {
    get async throws {
      let element = "document.activeElement"
      return try await evaluate(
        "\(element).id || \(element).closest('li')?.dataset.key || \(element).nodeName")
    }
  }

  /// The text of the element that has the focus.
  var focusedText: String {
    get async throws { try await evaluate("document.activeElement.textContent") }
  }

  /// Runs a script and returns what it returns; `arguments` are its `arguments`.
  @discardableResult
  func run<Value: Decodable & Sendable>(
    _ script: String, _ arguments: String..., returning: Value.Type = Bool?.self
  ) async throws -> Value {
    try await send(
      .post, path("execute/sync"), .json(Script(script: script, args: arguments)))
  }
}

private struct Script: Encodable {
  let script: String
  let args: [String]
}
