/// The cases for all parts of the standard.
package enum CacheCases {
  /// All cases.
  package static let all =
    freshness + lists + expires + age + heuristics + requestDirectives + responseDirectives
    + stale + vary + variants + validation + freshening + ownConditions + storing + statuses
    + fields + invalidation + head + ranges + modes
}
