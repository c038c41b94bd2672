import CurlewLive
import CurlewTesting
import Foundation
import HTTPTypes

extension PageProbe {
  /// Runs all work that can run without advancing time, and shows its changes.
  public func settle() async throws {
    while true {
      executor.drain()
      if let event = live?.stream?.nextEvent() {
        try await receive(event.name, event.data)
      } else if try await !connectOrSend() {
        return
      }
    }
  }

  /// Opens a missing stream, or sends the actions that wait; returns false if there is nothing to do.
  private func connectOrSend() async throws -> Bool {
    guard let live, isOnline, !live.isPlain else { return false }
    guard !live.isRefused else {
      guard clock.now >= live.refusalReloadTime else { return false }
      try await loadAgain()
      return true
    }
    if live.stream?.isFinished ?? true {
      if let status = live.stream?.status, status == 403 || isRefusal(status) {
        refuse()
        return true
      }
      // A stream without any event can't start a session.
      if live.stream != nil, !live.hasDelivered {
        live.isPlain = true
      } else {
        connect()
      }
      return true
    }
    guard live.isKnown, !live.isRenewed, let action = live.queue.first else { return false }
    try await send(action)
    return true
  }

  private func connect() {
    guard let live else { return }
    live.streams += 1
    live.hasDelivered = false
    let query: LiveQuery = ["address": address]
    var fields: HTTPFields = [
      .liveTab: live.tab, .liveVersion: "\(live.version)", .liveStream: "\(live.streams)",
      .liveBuild: live.build,
    ]
    if let kept = live.kept { fields[.liveKept] = kept }
    if !live.session.isEmpty { fields[.liveSession] = live.session }
    live.stream = start(.get, "\(live.base)/live\(query.text)", fields)
  }

  /// Whether a status, or a redirect, refuses the visitor, so that the document has to be loaded again.
  private func isRefusal(_ status: Int) -> Bool { status == 401 || (300..<400).contains(status) }

  /// Loads the document again, which leads to where the visitor can sign in; not within 10 s, so that no loop begins.
  private func refuse() {
    live?.isRefused = true
    dropStream()
  }

  func dropStream() {
    live?.stream?.cancel()
    executor.drain()
    live?.stream = nil
  }

  private func send(_ action: LiveState.Action) async throws {
    guard let live else { return }
    let fields: HTTPFields = [
      .contentType: "application/json", .liveTab: live.tab, .liveSession: live.session,
    ]
    let body = String(decoding: try JSONEncoder().encode(action), as: UTF8.self)
    let status = try await send(.post, "\(live.base)/events", fields, body).head.status.code
    // The action waits for the response, which is lost.
    if losesNextResponse { return disconnect() }
    if status == 404, live.failedActions < 3 {
      // The session has ended: a new session starts from the address.
      (live.isKnown, live.version, live.failedActions) = (false, 0, live.failedActions + 1)
      return dropStream()
    }
    if isRefusal(status) { return refuse() }
    live.queue.removeAll { $0.number == action.number }
    live.failedActions = 0
    guard status >= 400 else { return }
    live.refused.insert(action.name)
    live.acknowledged = max(live.acknowledged, action.number)
    let reason = status == 413 ? "data-live-too-long" : "data-live-not-accepted"
    showRefusal(of: action.name, live.root.attributes[reason] ?? "")
    if status != 413 && status != 403 {
      throw PageFailure.refused(action: action.name, status: status)
    }
  }

  /// Adds an action of the user to those that wait.
  func push(_ name: String, _ value: String, isEdit: Bool = false, fields: [[String]]? = nil) {
    if isEdit { live?.edited.insert(name) }
    live?.refused.remove(name)
    showRefusal(of: name, "")
    live?.isTyping = isEdit
    live?.add(name, value, fields: fields, replaces: isEdit || name == "live:navigate")
    if name != "live:navigate" { live?.acted = live?.lastNumber ?? 0 }
  }

  /// Shows why an action was refused; an empty text hides the reason.
  private func showRefusal(of name: String, _ text: String) {
    let input = live?.root.matching("[data-live-input=\(name)]").first?.closest("form")
    let form = input ?? live?.root.matching("form[data-live-submit=\(name)]").first
    guard let element = form?.matching("[data-live-refusal]").first else { return }
    element.replaceChildren(with: [PageElement("#text", content: text)])
    element.attributes["hidden"] = text.isEmpty ? "" : nil
  }

  private func receive(_ name: String, _ data: String) async throws {
    live?.hasDelivered = true
    switch name {
    case "hello":
      let parts = data.split(separator: " ").map(String.init)
      live?.beginSession(parts[0], isNew: parts.count > 1)
    case "state": try show(JSONDecoder().decode(LiveUpdate.self, from: Data(data.utf8)))
    case "go": try await follow(data)
    case "bye": dropStream()
    case "reload":
      // Once, because the next document may have the same version.
      guard reloadedBuild != live?.build else { return refuse() }
      reloadedBuild = live?.build
      try await loadAgain()
    case "out":
      stored[live?.visitor ?? ""] = nil
      try await load(address)
    default: break
    }
  }

  private func show(_ update: LiveUpdate) {
    guard let live else { return }
    live.acknowledged = max(live.acknowledged, update.acknowledged ?? 0)
    if let kept = update.kept { live.kept = kept.isEmpty ? nil : kept }
    title = update.title ?? title
    show(update.url, update)
    for (slot, html) in update.slots ?? [:] {
      for element in document.matching("[data-live-slot]")
      where element.attributes["data-live-slot"] == slot {
        element.replaceChildren(with: PageElement(html ?? "", scripts: true).children)
      }
    }
    let shown = live.isRenewed ? controls(Self.fieldSelector).map { ($0, content(of: $0)) } : []
    if let html = update.html {
      live.root.replaceChildren(with: PageElement(html, scripts: true).children)
    }
    guard (update.parts ?? []).allSatisfy(live.root.apply) else {
      // Requests the complete markup.
      live.version = 0
      return dropStream()
    }
    let present = Set(document.matching(Self.fieldSelector).map(\.identity))
    contents = contents.filter { present.contains($0.key) }
    live.version = update.version ?? live.version
    if update.html != nil {
      recover(shown)
      live.isRenewed = false
    }
    updateFields()
    announceStatuses()
  }

  /// Shows the address of an update, in a new history entry if the back button should return to the address before.
  private func show(_ url: String?, _ update: LiveUpdate) {
    guard let live, live.acknowledged >= live.navigated else { return }
    if let url, url != address {
      let isSoon = live.since.map { $0.duration(to: clock.now) <= .milliseconds(500) } ?? false
      let isKept =
        live.isEntry && update.isSamePage != true && live.acted > live.navigated
        && !(live.isTyping && live.wasTyped && isSoon)
      if !isKept { history.removeLast() }
      history.append((live.path, url))
      (address, live.since, live.wasTyped) = (url, clock.now, live.isTyping)
    }
    live.isEntry = update.isHistoryEntry ?? live.isEntry
  }

  /// Queues the texts and choices that differ from the first state of a new session before the actions that wait.
  private func recover(_ shown: [(field: PageElement, content: String)]) {
    guard let live, live.isRenewed else { return }
    let fields = controls(Self.fieldSelector)
    let waiting = live.queue
    live.queue = []
    for (old, content) in shown {
      guard let name = old.attributes["data-live-input"] else { continue }
      let own = fields.first { $0.fieldKey == old.fieldKey }
      let isLost = own.map { $0.markupContent != content } ?? true
      // A screen that other browsers use, too, has not lost the text.
      let isText = !old.isChoice && old.name != "select"
      let isOwn = isText && own != nil && live.root.attributes["data-live-shared"] == nil
      let isWaiting = waiting.contains { $0.name == name }
      guard isLost, isOwn || live.edited.contains(name), isText || !isWaiting else { continue }
      if let own { contents[own.identity] = content }
      live.add(name, isText || !old.isChoice ? content : old.value, replaces: false)
    }
    for action in waiting {
      live.add(action.name, action.value, fields: action.fields, replaces: false)
    }
  }

  /// Sets fields to their contents in the markup, unless the user's newer text is in them.
  private func updateFields() {
    guard let live, live.acknowledged >= live.lastNumber else { return }
    let isAsked = live.navigated > 0 && live.navigated == live.lastNumber
    for field in controls(Self.fieldSelector) where contents[field.identity] != nil {
      guard let name = field.attributes["data-live-input"], !live.refused.contains(name),
        isAsked || field.isChoice || field.name == "select" || focus != field.identity
      else { continue }
      if content(of: field) != field.markupContent { live.edited.remove(name) }
      contents[field.identity] = nil
    }
  }
}
