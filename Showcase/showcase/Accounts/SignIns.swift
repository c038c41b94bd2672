import Curlew
import CurlewFleet
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A user's sign-in, with the sessions of all browsers.
struct SignIn: Codable, Sendable {
  let canChangeIssues: Bool
  /// The first tokens, which name the sign-in to revoke.
  let token: BearerToken
  /// The ends of the sessions, by their digests.
  private(set) var sessions: [String: Date] = [:]

  init(canChangeIssues: Bool, token: BearerToken) {
    (self.canChangeIssues, self.token) = (canChangeIssues, token)
  }

  /// The name of the newest tokens.
  var tokenName: String { SignIns.digest(of: token.access.value) }

  func has(_ session: String, at now: Date) -> Bool { sessions[session].map { $0 > now } ?? false }

  mutating func add(_ session: String, at now: Date) {
    sessions = sessions.filter { $0.value > now }
    if sessions.count >= 100, let first = sessions.min(by: { $0.value < $1.value })?.key {
      sessions[first] = nil
    }
    sessions[session] = now + SignIns.time / .seconds(1)
  }

  mutating func remove(_ session: String) { sessions[session] = nil }
}

/// The sign-ins that all servers of a fleet share: the sign-in of each user, and the user's name for the digest of each
/// session.
struct SignIns: Sendable {
  /// The time after which a session ends.
  static let time: Duration = .seconds(30 * 86_400)
  private static let prefix = "sign-in "

  let fleet: Fleet

  static func digest(of secret: String) -> String {
    Data(SHA256.hash(data: Data(secret.utf8))).base64EncodedString()
  }

  /// Returns a user's sign-in; `nil` for none, or one that an unknown version of the app has stored.
  func signIn(of name: String) async -> SignIn? {
    Self.decoded(await fleet.value(Self.prefix + name))
  }

  /// Returns the name of the user with a session.
  func user(of session: String) async -> String? {
    await fleet.value("session \(session)").bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Adds a session to a user's sign-in, which begins with it if there is none; returns the sign-in.
  func add(
    _ session: String, of name: String, beginning new: SignIn, at now: Date
  ) async throws -> SignIn {
    var added = new
    try await change(name) { signIn in
      added = signIn ?? new
      added.add(session, at: now)
      return added
    }
    try await set(session, name)
    return added
  }

  /// Ends a session of a user.
  func remove(_ session: String, of name: String) async throws {
    try await set(session, nil)
    try await change(name) { signIn in
      var signIn = signIn
      signIn?.remove(session)
      return signIn
    }
  }

  /// Ends a sign-in, unless the user has another one by now.
  func remove(_ signIn: SignIn, of name: String) async throws {
    try await change(name) { $0?.token == signIn.token ? nil : $0 }
    for session in signIn.sessions.keys { try await set(session, nil) }
    try await fleet.set("token \(signIn.tokenName)", nil, expires: Self.time)
  }

  /// Returns the current sign-in of a user; stores the known one if the engine has lost its values.
  func current(_ known: SignIn, of name: String) async -> SignIn? {
    let value = await fleet.value(Self.prefix + name)
    guard value.version == 0 else { return Self.decoded(value) }
    guard fleet.metrics.isConnected else { return known }
    do throws(FleetError) {
      try await fleet.set(
        Self.prefix + name, Self.encoded(known), ifVersion: 0, expires: Self.time)
      for session in known.sessions.keys { try await set(session, name) }
    } catch {
      if case .conflict(let newer) = error { return Self.decoded(newer) }
    }
    return known
  }

  /// Returns the names of the users whose sign-ins have changed; `nil` if that may be any.
  var changes: some AsyncSequence<String?, Never> & Sendable {
    fleet.news(of: Self.prefix).map { $0.map { String($0.key.dropFirst(Self.prefix.count)) } }
  }

  /// Changes a user's sign-in, again if another server was faster.
  private func change(
    _ name: String, _ body: (SignIn?) -> SignIn?
  ) async throws(FleetError) {
    while true {
      let old = await fleet.value(Self.prefix + name)
      let new = body(Self.decoded(old))
      guard new != nil || old.bytes != nil else { return }
      do throws(FleetError) {
        try await fleet.set(
          Self.prefix + name, new.flatMap(Self.encoded), ifVersion: old.version,
          expires: Self.time)
        return
      } catch {
        guard case .conflict = error else { throw error }
      }
    }
  }

  private func set(_ session: String, _ name: String?) async throws(FleetError) {
    try await fleet.set("session \(session)", name.map { Array($0.utf8) }, expires: Self.time)
  }

  private static func encoded(_ signIn: SignIn) -> [UInt8]? {
    (try? JSONEncoder().encode(signIn)).map { Array($0) }
  }

  private static func decoded(_ value: FleetValue) -> SignIn? {
    value.bytes.flatMap { try? JSONDecoder().decode(SignIn.self, from: Data($0)) }
  }
}
