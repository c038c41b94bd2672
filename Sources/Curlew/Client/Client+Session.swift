extension Client {
  /// Gives the client the token of a user who has signed in; another user is signed out first.
  ///
  /// The client must have a `.bearer(_:refresh:onChange:)` in ``Configuration/middleware``.
  public func signIn(with token: BearerToken) async { await storage.session.begin(token) }

  /// Signs the user out: removes the token, all cookies and cached responses, and the data of the stores on this client.
  ///
  /// This holds also for the clients that have the same `.bearer(_:refresh:onChange:)`, a shared value. A call that began
  /// before, and waits for a retry or a new token, throws ``Client/Error/cancelled``, so that it is not sent as the next
  /// user. Responses to requests in flight, and their cookies, are not stored.
  public func signOut() async { await storage.session.end() }

  /// Adds an object that removes its data when the user signs out.
  package func addFollower(_ follower: any SessionFollower) { storage.session.add(follower) }
}

extension Client.Storage: SessionFollower {
  /// Removes the cookies and the cached responses.
  package func forgetUser() async {
    for middleware in configuration.networkMiddleware {
      ((middleware as? StandardMiddleware)?.base as? CookieMiddleware)?.jar.removeAll()
    }
    await configuration.cache?.removeAll()
  }
}

extension Client.Configuration {
  /// The session of the first `.bearer(_:refresh:onChange:)`; without one, a new session without a token.
  var session: BearerSession {
    middleware.lazy
      .compactMap { ($0 as? StandardMiddleware)?.base as? BearerRefreshMiddleware }.first?.session
      ?? BearerSession()
  }
}
