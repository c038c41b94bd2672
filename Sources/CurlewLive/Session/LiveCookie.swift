import HTTPTypes

/// The cookie by which a browser without JavaScript continues its session when it loads a page
/// again that was not complete (RFC 6265).
///
/// It is only set on such a page. Scripts can't read it, other sites' requests don't carry it, and
/// it is sent to its page alone. Two tabs with the same page share it: the one whose cookie was
/// replaced begins anew.
struct LiveCookie: Equatable {
  private static let name = "live"

  let session: String

  init(_ session: String) {
    self.session = session
  }

  /// Returns the cookies of a request: a browser may send several, of nested paths.
  static func all(in fields: HTTPFields) -> [LiveCookie] {
    fields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { return nil }
      return LiveCookie(String(parts[1]))
    }
  }

  /// Returns the value of `Set-Cookie`; `nil` for a path that can't stand there.
  func field(path: String, _ age: Duration) -> String? {
    guard !path.contains(";") else { return nil }
    return "\(Self.name)=\(session); Path=\(path); Max-Age=\(age.components.seconds); HttpOnly; "
      + "SameSite=Strict"
  }
}
