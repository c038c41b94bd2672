/// A flag that makes the current task's loads come from their source, not from a cache.
///
/// A screen's refresh sets it, such as a `Feed`'s or a `Detail`'s: a pull to refresh loads from the server.
/// A `Client` then sends the requests that don't specify their use of the cache as `.reload`. Other code may
/// set it, too:
///
/// ```swift
/// try await Reload.$isRequested.withValue(true) { try await catalogue.movies() }
/// ```
public enum Reload {
  /// Whether a reload was requested.
  @TaskLocal public static var isRequested = false
}
