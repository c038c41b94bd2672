import Curlew
import HTTPTypes
import TestSupport

extension CacheHistory {
  /// Creates a random history from a seed.
  ///
  /// - Parameters:
  ///   - clients: The number of clients that share the cache.
  ///   - concurrency: The maximum number of concurrent requests.
  init(seed: UInt64, clients: Int = 1, concurrency: Int = 1) {
    var random = SeededGenerator(seed: seed)
    settings = Settings(
      namesAccounts: random.chance(oneIn: 2), usesHeuristics: !random.chance(oneIn: 6),
      maximumOfflineStaleness: random.chance(oneIn: 4) ? 30 : 0,
      bytes: random.chance(oneIn: 6) ? random.pick(2...4) * 8_000 : nil)
    let world = World(
      urls: random.pick([1, 1, 2, 3]), tokens: random.pick([[nil], [nil, "a1"], Self.tokens]),
      clients: clients, concurrency: concurrency,
      vary: random.pick([[], [], ["Accept-Language"], ["X-Kind"], ["accept-language", "X-Kind"]]))
    steps = (0..<random.pick(3...14)).map { _ in world.step(&random) }
    if !world.vary.isEmpty, case .send(let requests, var reply) = steps[0] {
      reply.vary = world.vary
      steps[0] = .send(requests, reply)
    }
  }

  private static let tokens: [String?] = [nil, "a1", "a2", "b1"]

  /// The common properties of a history's requests, so that many of them match.
  private struct World {
    let urls: Int
    let tokens: [String?]
    let clients: Int
    let concurrency: Int
    let vary: [String]

    private static let waits = [
      1, 1, 2, 3, 4, 5, 5, 6, 9, 10, 11, 15, 20, 60, 1000, 20_000, -1, -3,
    ]

    func step(_ random: inout SeededGenerator) -> Step {
      switch random.pick(1...20) {
      case 1: .purge(random.pick([nil, "a", "b"]))
      case 2...6: .wait(random.pick(Self.waits))
      default:
        .send(requests(&random), reply(&random))
      }
    }

    private func requests(_ random: inout SeededGenerator) -> [Request] {
      let count = random.pick(1...concurrency)
      if count > 1, random.chance(oneIn: 2) {
        return Array(repeating: request(&random), count: count)
      }
      return (0..<count).map { _ in request(&random) }
    }

    private func request(_ random: inout SeededGenerator) -> Request {
      var request = Request(
        url: random.pick(0...urls - 1), token: random.pick(tokens),
        client: random.pick(0...clients - 1))
      if random.chance(oneIn: 10) {
        request.method = random.pick([.post, .put, .delete])
      } else if random.chance(oneIn: 10) {
        request.method = .head
      }
      if random.chance(oneIn: 8) {
        request.mode = random.pick([.reload, .cacheElseLoad, .cacheOnly])
      }
      if !vary.isEmpty, let language = random.pick(Self.languages) {
        request.fields[.acceptLanguage] = language
      }
      if !vary.isEmpty, let kind = random.pick(Self.kinds) { request.fields[.kind] = kind }
      if random.chance(oneIn: 5) { request.fields[.cacheControl] = random.pick(Self.directives) }
      if random.chance(oneIn: 25) { request.fields[.ifNoneMatch] = random.pick(Self.conditions) }
      if request.method == .get, random.chance(oneIn: 12) {
        request.fields[.range] = random.pick(["bytes=0-4", "bytes=5-9", "bytes=-6", "bytes=10-"])
        if random.chance(oneIn: 3) { request.fields[.ifRange] = random.pick(Self.conditions) }
      }
      return request
    }

    private func reply(_ random: inout SeededGenerator) -> Reply {
      var reply = Reply(changes: random.chance(oneIn: 4))
      for line in random.pick(Self.cacheControl) {
        reply.fields.append(HTTPField(name: .cacheControl, value: line))
      }
      if random.chance(oneIn: 3) { reply.fields[.extra] = random.pick(["1", "2"]) }
      if random.chance(oneIn: 12) {
        reply.fields[.connection] = "X-Hop"
        reply.fields[.hop] = "1"
      }
      if random.chance(oneIn: 8) { reply.expires = random.pick([-5, 0, 7, 30]) }
      if random.chance(oneIn: 10) { reply.fields[.age] = random.pick(["0", "3", "8", "100", "x"]) }
      if random.chance(oneIn: 10) { reply.skew = random.pick([nil, -4, -20, 4, 20]) }
      reply.etag = random.pick([.none, .weak, .strong, .strong])
      if random.chance(oneIn: 3) { reply.modified = random.pick([5, 3_000, 100_000]) }
      if random.chance(oneIn: 30) {
        reply.vary = random.pick([[], ["X-Kind"], ["Accept-Language"], ["*"], ["X-Kind", "*"]])
      }
      if random.chance(oneIn: 10) {
        reply.status = random.pick([201, 203, 204, 299, 301, 302, 307, 404, 410, 500, 503])
      }
      if random.chance(oneIn: 7) {
        reply.fault = random.pick([.disconnected, .cut, .short, .status(503), .status(500)])
      }
      if concurrency == 1, random.chance(oneIn: 15) { reply.delay = random.pick([1, 4]) }
      reply.ignoresConditions = random.chance(oneIn: 15)
      reply.isBare = random.chance(oneIn: 15)
      if random.chance(oneIn: 4) { reply.location = random.pick(0...urls - 1) }
      if random.chance(oneIn: 4) { reply.contentLocation = random.pick(0...urls - 1) }
      return reply
    }

    private static let languages: [String?] = [
      nil, "en", "en", "de", "en-US", "en, de;q=0.5", "en,de;q=0.5",
    ]
    private static let kinds: [String?] = [nil, nil, "a", "A", "b"]
    private static let conditions = [#""1""#, #""2""#, #"W/"2""#, #""1", "3""#, "*"]
    private static let directives = [
      "no-cache", "no-store", "max-age=0", "max-age=3", "max-stale", "max-stale=5", "min-fresh=4",
      "only-if-cached", "max-age=4, max-stale=3", "only-if-cached, max-stale", "unknown=1",
    ]
    private static let cacheControl: [[String]] = [
      ["max-age=10"], ["max-age=10"], ["max-age=5"], ["max-age=60"], ["max-age=0"],
      ["private, max-age=10"], ["public, max-age=10, immutable"], ["max-age=3, s-maxage=100"], [],
      [],
      ["no-cache"], ["no-store"], ["no-store, max-age=60"], ["MAX-AGE=7, No-Store"],
      ["max-age=60, no-cache"], ["max-age=20", "no-cache"], ["max-age=5, must-revalidate"],
      ["max-age=5, stale-while-revalidate=10"], ["max-age=5, stale-if-error=20"],
      ["max-age=5,stale-while-revalidate=20,stale-if-error=5"],
      ["max-age=5, stale-while-revalidate=10, stale-if-error=10, must-revalidate"],
      ["max-age=60, max-age=1"], ["max-age=abc"], ["max-age=-1"], [#"max-age="10""#],
      [#"max-age=10, no-cache="X-Extra""#], [#"max-age=10, private="x-extra, etag""#],
      [#"ext="no-store, max-age=100", max-age=3"#], ["must-understand, no-store, max-age=10"],
    ]
  }
}

extension HTTPField.Name {
  static let kind: Self = "X-Kind"
  static let extra: Self = "X-Extra"
  static let hop: Self = "X-Hop"
  /// The number of a response of the model's origin.
  static let sent: Self = "X-Sent"
  /// The number of the response that delivered the body.
  static let born: Self = "X-Born"
  /// The version of the representation.
  static let version: Self = "X-Version"
  /// The step of a history in which a request is made.
  static let step: Self = "X-Step"
}
