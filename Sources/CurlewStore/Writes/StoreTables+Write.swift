import Curlew
import CurlewScreens

extension StoreTables {
  /// A write whose edits are shown.
  final class Write {
    let id: Int
    let account: String?
    /// The number of the write's request; `nil` until it is sent.
    var sentAt: UInt64?
    var records: [EntityRecord] = []
    var requests: Set<RequestKey> = []
    /// The closures that end the edits of shared values.
    var shared: [@Sendable (_ succeeds: Bool) -> Void] = []
    /// Whether the account was cleared, so that the write is not sent, and changes no more of the store's data.
    private(set) var isCleared = false

    init(_ id: Int, account: String?) { (self.id, self.account) = (id, account) }

    func clear() { (isCleared, sentAt, requests, records) = (true, nil, [], []) }
  }

  /// Adds an edit of a shared value, whose observers are notified after the lock has been released.
  func edit(
    _ write: Write, beginning notify: @escaping @Sendable () -> Void,
    ending end: @escaping @Sendable (_ succeeds: Bool) -> Void
  ) {
    resumptions.append(notify)
    write.shared.append(end)
  }

  func endShared(of write: Write, _ succeeds: Bool) {
    for end in write.shared { resumptions.append { end(succeeds) } }
    write.shared = []
  }
}

extension Edits where ID == Int {
  /// Adds an edit above those of earlier writes: an edit that replaces another one is in its place.
  mutating func insert(_ edit: Edit, by id: Int) {
    add(edit, by: id, at: (layers.lastIndex { $0.id <= id } ?? -1) + 1)
  }
}
