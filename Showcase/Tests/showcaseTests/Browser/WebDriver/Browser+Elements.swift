import Curlew
import HTTPTypes

/// An element in a page.
struct Element: Decodable, Sendable {
  let id: String

  enum CodingKeys: String, CodingKey {
    // The name is defined by the protocol (W3C WebDriver section 12.1).
    case id = "element-6066-11e4-a52e-4f735466cecf"
  }
}

extension Browser {
  /// Returns the first element that matches a CSS selector.
  func find(_ selector: String) async throws -> Element {
    try await send(.post, path("element"), .json(["using": "css selector", "value": selector]))
  }

  /// Returns all elements that match a CSS selector.
  func all(_ selector: String) async throws -> [Element] {
    try await send(.post, path("elements"), .json(["using": "css selector", "value": selector]))
  }

  /// Returns whether any element matches a CSS selector.
  ///
  /// Tests call this most frequently, and a script takes half the time of finding elements.
  func has(_ selector: String) async throws -> Bool {
    try await evaluate("document.querySelector(arguments[0]) !== null", selector)
  }

  /// Returns whether an element is visible.
  func isDisplayed(_ element: Element) async throws -> Bool {
    try await send(.get, path("element/\(element.id)/displayed"))
  }

  /// Returns the visible text of an element.
  func text(_ selector: String) async throws -> String {
    try await ofPresent(selector) { try await send(.get, path("element/\($0.id)/text")) }
  }

  func attribute(_ name: String, of selector: String) async throws -> String? {
    try await ofPresent(selector) {
      try await send(.get, path("element/\($0.id)/attribute/\(name)"))
    }
  }

  /// Returns the value of a field.
  func value(_ selector: String) async throws -> String {
    try await ofPresent(selector) { try await send(.get, path("element/\($0.id)/property/value")) }
  }

  /// Performs a command on the first element that matches a selector; retries if a patch has
  /// replaced the element.
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

  /// Clicks the centre of an element with a real pointer event.
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

  /// Identifies the focused element: its id, or else the key of its row, or else its node name.
  var focus: String {
    get async throws {
      let element = "document.activeElement"
      return try await evaluate(
        "\(element).id || \(element).closest('li')?.dataset.key || \(element).nodeName")
    }
  }

  /// The text of the focused element.
  var focusedText: String {
    get async throws { try await evaluate("document.activeElement.textContent") }
  }

  /// Runs a script with arguments, and returns its result.
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
