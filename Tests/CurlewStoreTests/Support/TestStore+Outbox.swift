import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation

extension TestStore {
  /// A process with an outbox, whose server has a book.
  init(_ outbox: Outbox, title: String = "Emma", isStarred: Bool = false) {
    self.init(hasCache: false, outbox: outbox)
    stub.stub(Library.book(1), with: .book(1, title, isStarred: isStarred))
    stub.stub(Library.books(), with: .books([1: "Emma"]))
  }

  /// The states of the actions in the outbox.
  var states: [OutboxItem.State] { store.outbox.value.map(\.state) }

  /// The requests that change the server's data.
  var sent: [String] {
    stub.requests.filter { $0.head.method != .get }.map {
      "\($0.head.method) \($0.head.path?.split(separator: "?").first ?? "")"
    }
  }

  /// Performs an action; returns its id, or the error.
  @discardableResult
  func perform(
    _ action: some StoreAction, after earlier: UUID? = nil, replacing former: UUID? = nil
  ) -> Result<UUID, OutboxError> {
    run { [store] in
      Result { () throws(OutboxError) in
        try store.perform(action, after: earlier, replacing: former)
      }
    }.value!
  }

  func decide(_ outcome: ActionOutcome, for id: UUID? = nil) {
    run { [store] in try? store.decide(outcome, for: id ?? store.outbox.value[0].id) }
  }

  func sendActions() { run { [store] in store.sendActions() } }
}

extension StubResponse {
  static let lost = failure(Client.TransportFailure(.lost, reason: "lost"))
  static let refused = failure(Client.TransportFailure(.refused, reason: "refused"))
  static let unreachable = failure(Client.TransportFailure(.unreachable, reason: "a tunnel"))
}

extension Result {
  var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension OutboxItem.State {
  var isRefused: Bool { if case .refused = self { true } else { false } }

  var isWaiting: Bool {
    switch self {
    case .waiting, .waitingForNetwork: true
    default: false
    }
  }
}
