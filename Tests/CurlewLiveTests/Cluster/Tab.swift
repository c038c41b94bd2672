import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Does what the script does in a tab when servers come and go: it reconnects, sends its kept state, and repeats each
/// action until a response or a state confirms it.
actor Tab {
  struct Failed: Error {
    let text: String
  }

  /// Each tab has a stream and sends actions; the client's default limit is eight connections per server.
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 200
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  private let origin: String
  private let address: String
  private let page: String
  private let name = (0..<4).map { _ in String(format: "%08x", UInt32.random(in: 0 ... .max)) }
    .joined()
  private var session = ""
  private var shown = EventStream.State()
  private var number = 0
  /// The number of the open stream; 0 for none.
  private var stream = 0
  private var reader: Task<Void, Never>?
  private let (changes, change) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  var title: String { shown.title }
  /// The number of connections so far.
  private(set) var connections = 0
  /// The number of additions that a server has confirmed, and that ended with it.
  private(set) var lost = 0
  /// The times from an action to the state that includes it.
  private(set) var times: [Duration] = []

  init(_ origin: String, at address: String, page: String) {
    (self.origin, self.address, self.page) = (origin, address, page)
  }

  init(_ origin: String, room: Int) {
    self.init(origin, at: "/draft?room=\(room)", page: "/draft")
  }

  /// Loads the document and connects.
  func open() async throws {
    let visitor = Visitor(origin: origin, client: Self.client)
    (session, shown) = try await retrying { [address] in try await visitor.open(address) }
    try await connect()
  }

  /// Sends a text and waits until the matching title arrives.
  func write(_ text: String) async throws {
    try await send("write", text)
    // A new session has the text that was kept; the script sends the text in the field.
    while !title.hasSuffix(": \(text)"), !title.contains(": \(text)+") {
      try await send("write", text)
    }
  }

  /// Adds one, and waits until a state includes it.
  func add() async throws { try await send("add", "1") }

  /// Waits until a state has a title.
  func wait(for title: String) async throws {
    while self.title != title {
      let own = stream
      if own == 0 {
        try await connect()
      } else {
        try await changed { self.title == title || stream != own }
      }
    }
  }

  private func send(_ action: String, _ value: String) async throws {
    number += 1
    let start = ContinuousClock.now
    var isConfirmed = false
    while shown.acknowledged < number {
      let own = stream
      if own == 0 {
        // What the session before has confirmed is not sent again.
        if try await connect(), isConfirmed {
          if action == "add" { lost += 1 }
          return
        }
      } else {
        if !isConfirmed { isConfirmed = try await post(action, value) }
        guard isConfirmed else {
          disconnect(own)
          continue
        }
        try await changed { shown.acknowledged >= number || stream != own }
      }
    }
    times.append(start.duration(to: .now))
  }

  /// Returns whether the session has applied an action.
  private func post(_ action: String, _ value: String) async throws -> Bool {
    var request = HTTPClientRequest(url: "\(origin)\(page)/events")
    request.method = .POST
    request.headers = ["Origin": origin, "Live-Tab": name, "Live-Session": session]
    request.body = .bytes(message(action, value, number: number))
    let response = try? await Self.client.execute(request, timeout: .seconds(20))
    // Without a response the script connects again, and sends the action to the session that it gets.
    guard let status = response?.status.code, status != 404, status < 500 else { return false }
    guard status == 204 else { throw Failed(text: "event: \(status)") }
    return true
  }

  private func changed(_ isWanted: () -> Bool) async throws {
    var signals = changes.makeAsyncIterator()
    while !isWanted() {
      guard await signals.next(isolation: #isolation) != nil else { throw CancellationError() }
    }
  }

  private func disconnect(_ own: Int) {
    guard stream == own else { return }
    stream = 0
    reader?.cancel()
  }

  /// Opens a stream; returns whether its session is new.
  @discardableResult
  private func connect() async throws -> Bool {
    connections += 1
    let fields = [("Live-Kept", shown.kept)].filter { !$0.1.isEmpty }
    let visitor = Visitor(origin: origin, client: Self.client)
    let (stream, session) = try await retrying { [self] in
      let stream = try await visitor.listen(
        session: self.session, shown: shown, address: address, path: page, tab: name,
        fields: fields)
      guard stream.status == 200 else { throw Failed(text: "stream: \(stream.status)") }
      return (stream, try await stream.hello())
    }
    self.session = session
    // A new session starts with a state: the address and the kept text.
    if stream.isNew {
      guard let state = try? await stream.state() else { return true }
      shown = state
    }
    self.stream = connections
    reader = Task { [connections] in
      while !Task.isCancelled, let state = try? await stream.state(), self.stream == connections {
        shown = state
        change.yield()
      }
      disconnect(connections)
      change.yield()
    }
    return stream.isNew
  }

  /// Retries after a lost connection, as long as the test has time.
  private func retrying<Value>(_ body: () async throws -> Value) async throws -> Value {
    while true {
      try Task.checkCancellation()
      do {
        return try await body()
      } catch {
        await Task.yield()
      }
    }
  }
}
