import Curlew
import HTTPTypes

/// Keys without a character (W3C WebDriver section 17.4.2).
enum Key {
  static let backspace = "\u{E003}"
  static let tab = "\u{E004}"
  static let enter = "\u{E007}"
  static let escape = "\u{E00C}"
  static let left = "\u{E012}"
  static let up = "\u{E013}"
  static let down = "\u{E015}"
  static let shift = "\u{E008}"
  static let control = "\u{E009}"
  static let alt = "\u{E00A}"
}

extension Browser {
  /// Presses and releases keys in sequence; the focused element receives them.
  func type(_ keys: String) async throws {
    try await act(
      keys.flatMap { key in
        [.init(type: "keyDown", value: "\(key)"), .init(type: "keyUp", value: "\(key)")]
      })
  }

  /// Presses a key while another key is held down.
  func press(_ key: String, with held: String) async throws {
    try await act([
      .init(type: "keyDown", value: held), .init(type: "keyDown", value: key),
      .init(type: "keyUp", value: key), .init(type: "keyUp", value: held),
    ])
  }

  /// Presses and releases keys in sequence, each after a pause in milliseconds.
  func type(_ keys: [(key: Character, pause: Int)]) async throws {
    try await act(
      keys.flatMap { key, pause in
        [
          .init(type: "pause", duration: pause), .init(type: "keyDown", value: "\(key)"),
          .init(type: "keyUp", value: "\(key)"),
        ]
      })
  }

  private func act(_ keys: [Actions.Action]) async throws {
    try await send(.post, path("actions"), .json(Actions(actions: [.init(actions: keys)])))
  }

  /// Clicks a field, and types.
  func type(_ keys: String, into selector: String) async throws {
    try await click(selector)
    try await type(keys)
  }
}

private struct Actions: Encodable {
  struct Action: Encodable {
    let type: String
    var value: String?
    var duration: Int?
  }

  struct Source: Encodable {
    let type = "key"
    let id = "keyboard"
    let actions: [Action]
  }

  let actions: [Source]
}
