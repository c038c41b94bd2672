import Curlew
import HTTPTypes

/// Keys that have no character (W3C WebDriver section 17.4.2).
enum Key {
  static let backspace = "\u{E003}"
  static let tab = "\u{E004}"
  static let enter = "\u{E007}"
  static let escape = "\u{E00C}"
  static let left = "\u{E012}"
  static let up = "\u{E013}"
  static let down = "\u{E015}"
}

extension Browser {
  /// Presses and releases one key after the other; they go to what has the focus.
  func type(_ keys: String) async throws {
    let presses = keys.flatMap { key in
      [Actions.Action(type: "keyDown", value: "\(key)"), .init(type: "keyUp", value: "\(key)")]
    }
    try await send(.post, path("actions"), .json(Actions(presses)))
  }

  /// Clicks into a field and types.
  func type(_ keys: String, into selector: String) async throws {
    try await click(selector)
    try await type(keys)
  }
}

private struct Actions: Encodable {
  struct Action: Encodable {
    let type: String
    let value: String
  }

  struct Source: Encodable {
    let type = "key"
    let id = "keyboard"
    let actions: [Action]
  }

  let actions: [Source]

  init(_ keys: [Action]) {
    actions = [Source(actions: keys)]
  }
}
