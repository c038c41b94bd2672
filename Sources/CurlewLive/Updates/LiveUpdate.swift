import Foundation

/// What changes in a browser, sent as a server-sent event (WHATWG HTML section 9.2).
package struct LiveUpdate: Encodable, Equatable {
  /// The number of the newest action that the state includes.
  var acknowledged: Int?
  var title: String?
  var url: String?
  /// Whether the address is another one only in its position.
  var isSamePlace: Bool?
  var isHistoryEntry: Bool?
  /// What the browser keeps of the state, signed; empty for nothing.
  var kept: String?
  /// The slots of the frame that change; `nil` for one that is empty now.
  var slots: [String: String?]?
  /// The version that the browser shows once it has applied the update.
  var version: Int?
  /// All of the markup.
  var html: String?
  var parts: [LivePart]?
  /// Where the screen leads; only in a response, as streams have an event for it.
  var address: String?
  /// Whether more is to come; only in a response.
  var isWorking: Bool?
  /// Whether the session is not the one that the tab's version is of; only in a response.
  var isNew: Bool?

  /// Describes what changes from the view that a browser has to another; everything, if it has none.
  init(from old: LiveView?, to new: LiveView, markup: Markup) {
    if !isSame(old?.title, new.title) { title = new.title }
    if !isSame(old?.url, new.url) { url = new.url }
    if url != nil, isSame(old?.place, new.place) { isSamePlace = true }
    if old?.isHistoryEntry != new.isHistoryEntry { isHistoryEntry = new.isHistoryEntry }
    if !isSame(old?.kept, new.kept) { kept = new.kept ?? "" }
    slots = Self.changes(from: old?.slots ?? [:], to: new.slots)
    guard let old else {
      html = markup.text
      return
    }
    let parts = LivePart.parts(from: old.markup, to: markup)
    if !parts.isEmpty { self.parts = parts }
  }

  /// Returns the values that differ, `nil` for one that was removed; `nil` when none does.
  package static func changes(
    from old: [String: String], to new: [String: String]
  ) -> [String: String?]? {
    var changes: [String: String?] = [:]
    for (name, value) in new where !isSame(old[name], value) { changes[name] = value }
    for name in old.keys where new[name] == nil { changes[name] = .some(nil) }
    return changes.isEmpty ? nil : changes
  }

  /// Creates one that changes nothing.
  init() {}

  /// The encoded update.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Whether it changes nothing.
  var isEmpty: Bool { !hasChanges && acknowledged == nil }

  /// Whether it changes what the browser shows.
  var hasChanges: Bool {
    title != nil || url != nil || isHistoryEntry != nil || kept != nil || html != nil
      || parts != nil || slots != nil
  }
}
