import Foundation
public import Hummingbird
import Synchronization

/// The visitor of a page that does not ask who visits it.
public struct Anyone: Equatable, Sendable {
  /// Creates the visitor.
  public init() {}
}

/// Who visits pages, such as the users of an app with accounts.
///
/// ```swift
/// let visitors = LiveVisitors<User, AppContext>(id: \.name) { request, _ in
///   guard let user = try await accounts.user(of: request) else { throw LiveRefusal.signIn(at: "/sign-in") }
///   return user
/// }
/// router.add(BirdsPage(), visitors: visitors) { live in document(live) }
/// ```
public final class LiveVisitors<Visitor: Equatable & Sendable, Context: RequestContext>: Sendable {
  /// A page of these visitors.
  struct Page: Sendable {
    /// Whether an address belongs to the page.
    let has: @Sendable (String) -> Bool
    /// Ends the sessions of the visitor with an id.
    let end: @Sendable (String) -> Void
  }

  private let id: @Sendable (Visitor) -> String
  private let ask: @Sendable (Request, Context) async throws -> Visitor
  private let pages = Mutex<[Page]>([])

  /// Creates the visitors of a router's pages.
  ///
  /// - Parameters:
  ///   - id: A closure that returns the text that identifies a visitor, such as a user's number, which stays when the
  ///     visitor's other properties change; empty for a visitor who has not signed in.
  ///   - ask: A closure that returns who has sent a request, or throws a ``LiveRefusal``. It is called for each document,
  ///     form, action and stream, and for an open stream again with the same request every
  ///     ``LiveLimits/visitorInterval``: so it has to look up whether the sign-in is still valid.
  public init(
    id: @escaping @Sendable (Visitor) -> String,
    ask: @escaping @Sendable (Request, Context) async throws -> Visitor
  ) {
    (self.id, self.ask) = (id, ask)
  }

  /// Ends all sessions and streams of a visitor, in all tabs, once the sign-in is no longer valid.
  ///
  /// Each tab forgets the text in its fields, and loads its document again, which leads to where the visitor can sign in.
  /// For a visitor with an empty id it does nothing: all who have not signed in have it.
  public func end(sessionsOf visitor: Visitor) {
    let id = id(visitor)
    guard !id.isEmpty else { return }
    for page in pages.withLock({ $0 }) { page.end(id) }
  }

  /// Returns the address to which a sign-in returns: a text of a request, if it is the address of a page of these
  /// visitors; otherwise the start page.
  ///
  /// So nobody can make a link to the sign-in that leads to another site.
  public func address(returningTo text: String?, otherwise start: String = "/") -> String {
    guard let text, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }),
      let path = Self.decoded(text.prefix { $0 != "?" }), path.hasPrefix("/"),
      !path.contains("//"), !path.contains("\\"),
      path.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }),
      path.split(separator: "/").allSatisfy({ $0 != "." && $0 != ".." }),
      pages.withLock({ $0 }).contains(where: { $0.has(text) })
    else { return start }
    return text
  }

  /// Returns a path without percent-encoding, even if it is encoded repeatedly.
  private static func decoded(_ path: Substring) -> String? {
    var path = String(path)
    for _ in 0..<4 {
      guard let next = path.removingPercentEncoding else { return nil }
      if next == path { return path }
      path = next
    }
    return nil
  }

  func add(_ page: Page) { pages.withLock { $0.append(page) } }

  /// Asks who has sent a request.
  func admit(_ request: Request, _ context: Context) async throws -> Admission<Visitor> {
    let visitor = try await ask(request, context)
    return Admission(visitor, id: id(visitor)) { [ask] in try await ask(request, context) }
  }
}

/// A visitor whom a page has admitted.
package struct Admission<Visitor: Equatable & Sendable>: Sendable {
  let visitor: Visitor
  /// The text that identifies the visitor; empty for a visitor who is not known.
  let id: String
  private let ask: @Sendable () async throws -> Visitor

  package init(
    _ visitor: Visitor, id: String = "", ask: (@Sendable () async throws -> Visitor)? = nil
  ) {
    (self.visitor, self.id) = (visitor, id)
    self.ask = ask ?? { visitor }
  }

  /// Asks again, and returns whether the visitor is the same; `nil` for anyone.
  var isCurrent: (@Sendable () async -> Bool)? {
    if Visitor.self == Anyone.self { return nil }
    return { [visitor, ask] in (try? await ask()) == visitor }
  }
}
