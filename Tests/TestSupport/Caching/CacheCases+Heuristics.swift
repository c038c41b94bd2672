/// Lifetimes by heuristics.
extension CacheCases {
  private static let day: CacheCase.Fields = ["Last-Modified": "{date-86400}"]

  static let heuristics: [CacheCase] =
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].map { status in
      .reused(
        "9110 15.1", "a \(status) may be fresh by heuristics", day, status: status, wait: 60)
    }
    + [201, 202, 302, 303, 307, 400, 401, 403, 409, 422, 500, 502, 503, 504, 599].map { status in
      .notReused(
        "9110 15.1", "a \(status) may not be fresh by heuristics", day, status: status)
    } + [
      .reused(
        "9111 4.2.2", "fresh for a tenth of the time since its last modification", day,
        wait: 8_639),
      .notReused("9111 4.2.2", "not for more than a tenth of it", day, wait: 8_640),
      .reused(
        "9111 4.2.2", "fresh for a day at most, until then",
        ["Last-Modified": "Fri, 01 Jan 2010 00:00:00 GMT"], wait: 86_399),
      .notReused(
        "9111 4.2.2", "fresh for a day at most",
        ["Last-Modified": "Fri, 01 Jan 2010 00:00:00 GMT"], wait: 86_400),
      .notReused(
        "9111 4.2.2", "nothing is fresh that was modified just now",
        ["Last-Modified": "{date}"], wait: 0),
      .notReused(
        "9111 4.2.2", "nothing is fresh that will be modified in future",
        ["Last-Modified": "{date+3600}"], wait: 0),
      .notReused(
        "9111 4.2.2", "the lifetime counts from Date",
        ["Last-Modified": "{date-1000}", "Date": "{date-900}"], wait: 0),
      .reused(
        "9111 4.2.2", "other statuses may be fresh by heuristics if they are public",
        ["Last-Modified": "{date-86400}", "Cache-Control": "public"], status: 599),
      .notReused(
        "9111 4.2.2", "private does not make other statuses fresh by heuristics",
        ["Last-Modified": "{date-86400}", "Cache-Control": "private"], status: 599),
      .notReused(
        "9111 4.2.2", "no heuristics with an explicit lifetime",
        ["Last-Modified": "{date-86400}", "Cache-Control": "max-age=5"], wait: 6),
      .notReused(
        "9111 4.2.2", "no heuristics with a malformed lifetime",
        ["Last-Modified": "{date-86400}", "Cache-Control": "max-age=x"]),
      .notReused(
        "9111 4.2.2", "no heuristics without Last-Modified", ["ETag": "\"v1\""], wait: 0),
      .notReused(
        "9111 4.2.2", "no heuristics where the cache does not want them", day,
        usesHeuristics: false),
      .notReused(
        "9111 4.2.2", "no heuristics from a malformed date",
        ["Last-Modified": "Fri 01 Jan 2010 00:00:00 GMT"]),
      .reused(
        "9111 4.2.2", "a lifetime for shared caches alone leaves heuristics",
        ["Last-Modified": "{date-86400}", "Cache-Control": "s-maxage=0"]),
      .notReused(
        "9111 5.2.2.4", "no-cache has no heuristics",
        ["Last-Modified": "{date-86400}", "Cache-Control": "no-cache"]),
    ]
}
