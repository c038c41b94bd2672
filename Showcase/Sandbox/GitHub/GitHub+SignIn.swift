import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

extension GitHub {
  /// A user of the sandbox, who has no password.
  struct User: Sendable {
    let account: Account
    /// Whether the user may only read: other users may change any issue.
    var isReader = false

    static let all = [
      User(account: Account(login: "ada", id: 900_800_011, type: .user)),
      User(account: Account(login: "grace", id: 900_800_012, type: .user)),
      User(account: Account(login: "bob", id: 900_800_013, type: .user), isReader: true),
    ]

    static func named(_ login: String?) -> User? { all.first { $0.account.login == login } }
  }

  /// The prefixes of GitHub's user access tokens and refresh tokens.
  ///
  /// The tokens contain the user's name and the number of the sign-in, so that they are valid in each process with a sandbox: it gives anyone a token of
  /// each user, and keeps no secret.
  private static let (access, refresh) = ("ghu_", "ghr_")

  /// Issues tokens for a user's `login`, or for a refresh token (RFC 6749 section 6).
  ///
  /// Only the sandbox has the first: GitHub asks the user on a page. GitHub's errors have the status 200.
  func signIn(_ request: SiteRequest) throws(Response) -> Response {
    let form = Query(String(decoding: request.body, as: UTF8.self))
    let isRefresh = form["grant_type"] == "refresh_token"
    let parts =
      isRefresh
      ? Self.parts(of: form["refresh_token"], Self.refresh, count: 2)
      : [form["login"] ?? "", "\(UInt64.random(in: 1 ... .max))"]
    guard let parts, let user = User.named(parts[0]), isValid(parts[1]) else {
      let error = isRefresh ? "bad_refresh_token" : "incorrect_user"
      throw .json(.object(["error": .string(error)]), status: .badRequest)
    }
    let (login, time) = (user.account.login, request.options.tokenTime)
    let end = Int(request.now.addingTimeInterval(time / .seconds(1)).timeIntervalSince1970)
    return .json(
      .object([
        "access_token": .string("\(Self.access)\(login)_\(end)_\(parts[1])"),
        "expires_in": .int(Int(time.components.seconds)),
        "refresh_token": .string("\(Self.refresh)\(login)_\(parts[1])"), "token_type": "bearer",
        "scope": .string(user.isReader ? "public_repo:read" : "public_repo"),
      ])
    ).with(["Cache-Control": "no-store", "ETag": nil])
  }

  /// Returns the user of a request's token; `nil` for a request without a token.
  ///
  /// - Throws: A 401 response for an invalid or expired token.
  func user(of request: SiteRequest) throws(Response) -> User? {
    guard let field = request.headers[.authorization] else { return nil }
    guard let parts = Self.parts(of: field, "Bearer \(Self.access)", count: 3),
      let user = User.named(parts[0]), let end = TimeInterval(parts[1]),
      request.now.timeIntervalSince1970 < end, isValid(parts[2])
    else { throw Self.error(.unauthorized, "Bad credentials") }
    return user
  }

  /// Revokes the tokens of a sign-in; GitHub asks for the secret of the app, too.
  func revoke(_ request: SiteRequest) throws(Response) -> Response {
    let body = try? JSONDecoder().decode([String: String].self, from: request.body)
    guard let parts = Self.parts(of: body?["access_token"], Self.access, count: 3) else {
      throw Self.error(.notFound, "Not Found")
    }
    revoked.withLock { revoked in
      if revoked.count >= 4_000 { revoked.removeFirst() }
      revoked.append(parts[2])
    }
    return Response(status: .noContent).with(["Content-Length": nil])
  }

  private func isValid(_ signIn: String) -> Bool { !revoked.withLock { $0.contains(signIn) } }

  /// Returns the parts of a token; `nil` for another text.
  private static func parts(of token: String?, _ prefix: String, count: Int) -> [String]? {
    guard let token, token.hasPrefix(prefix) else { return nil }
    let parts = token.dropFirst(prefix.count).split(separator: "_").map(String.init)
    return parts.count == count ? parts : nil
  }
}

extension Sandbox {
  /// The names of the users who can sign in, without a password; the last one may only read.
  public static var users: [String] { GitHub.User.all.map(\.account.login) }
}
