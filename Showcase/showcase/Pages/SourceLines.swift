/// The lines of the showcase's source code that cause the effects in the inspector, by the
/// inspector's terms.
package let sourceLines = [
  "debounce": "debounce: .milliseconds(500)", "latest wins": "work.latest(.lookup, after: delay)",
  "retry": ".retrying(retries)", "cache": "$0.cache = network.cache", "coalesced": ".coalescing",
  "rate limit": "RateBudget(scope: GitHub.rateLimit, units: units)",
]
