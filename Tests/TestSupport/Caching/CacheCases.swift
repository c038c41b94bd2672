/// The cases for all parts of the standard.
public enum CacheCases: Sendable {
  /// All cases.
  public static let all =
    freshness + lists + expires + age + heuristics + requestDirectives + responseDirectives
    + stale + vary + variants + validation + freshening + ownConditions + storing + statuses
    + fields + invalidation + head + ranges + modes
}
