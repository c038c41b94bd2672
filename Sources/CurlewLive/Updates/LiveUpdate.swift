import Foundation

/// The changes for a browser, sent as a server-sent event (WHATWG HTML section 9.2).
package struct LiveUpdate: Codable, Equatable {
  /// The number of the newest action that the state includes.
  package var acknowledged: Int?
  package var title: String?
  package var url: String?
  /// Whether the address differs only in its position.
  package var isSamePage: Bool?
  package var isHistoryEntry: Bool?
  /// The signed state for the browser to store; empty for none.
  package var kept: String?
  /// The changed slots of the frame; the value of a slot that is now empty is `nil`.
  package var slots: [String: String?]?
  /// The version that the browser shows once it has applied the update.
  package var version: Int?
  /// The complete markup.
  package var html: String?
  package var parts: [FragmentChange]?
  /// The address that the screen navigates to; only in a response, because streams have an event
  /// for it.
  var address: String?
  /// Whether the screen has running work; only in a response.
  var isWorking: Bool?
  /// Whether the tab's version belongs to another session; only in a response.
  var isNew: Bool?

  /// Creates the update from a browser's view to another view; it contains everything if the
  /// browser has no view.
  init(from old: LiveView?, to new: LiveView, markup: Markup) {
    if !isSame(old?.title, new.title) { title = new.title }
    if !isSame(old?.url, new.url) { url = new.url }
    if url != nil, isSame(old?.addressWithoutPosition, new.addressWithoutPosition) {
      isSamePage = true
    }
    if old?.isHistoryEntry != new.isHistoryEntry { isHistoryEntry = new.isHistoryEntry }
    if !isSame(old?.kept, new.kept) { kept = new.kept ?? "" }
    slots = Self.changes(from: old?.slots ?? [:], to: new.slots)
    guard let old else {
      html = markup.text
      return
    }
    let parts = FragmentChange.parts(from: old.markup, to: markup)
    if !parts.isEmpty { self.parts = parts }
  }

  /// Returns the changed values, with `nil` for a removed value; returns `nil` if there are no
  /// changes.
  package static func changes(
    from old: [String: String], to new: [String: String]
  ) -> [String: String?]? {
    var changes: [String: String?] = [:]
    for (name, value) in new where !isSame(old[name], value) { changes[name] = value }
    for name in old.keys where new[name] == nil { changes[name] = .some(nil) }
    return changes.isEmpty ? nil : changes
  }

  /// Creates an update without changes.
  init() {}

  /// The update encoded as JSON.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Whether the update has neither changes nor an acknowledgement.
  var isEmpty: Bool { !hasChanges && acknowledged == nil }

  /// Whether the update changes the browser's view.
  var hasChanges: Bool {
    title != nil || url != nil || isHistoryEntry != nil || kept != nil || html != nil
      || parts != nil || slots != nil
  }
}
