/// Whether what the current task loads should come from its source, and not from a cache.
///
/// A screen's refresh sets it, such as that of a `Feed` or a `Detail`: who pulls to refresh asks the server.
/// A `Client` then sends the requests that don't say themselves how they use the cache as `.reload`. Other
/// code may set it, too:
///
/// ```swift
/// try await Reload.$isRequested.withValue(true) { try await catalogue.movies() }
/// ```
public enum Reload {
  /// Whether a reload was requested.
  @TaskLocal public static var isRequested = false
}
