import Curlew
import Platform

extension NetworkMiddleware where Self == StandardNetworkMiddleware {
  /// Keeps to GitHub's rate limits.
  ///
  /// What would have to wait for longer than two seconds fails at once: a page shows how long it will
  /// take, and a command says it, instead of seeming to hang.
  static var gitHubRateBudget: Self {
    .rateBudget(RateBudget(scope: GitHub.rateLimit), longestWait: .seconds(2))
  }
}
