import Foundation
import HTTPTypes
import NIOCore

/// A look-alike of api.themoviedb.org: what is in the cinemas, and what people like best.
struct TMDB: Site {
  static let perPage = 20

  /// The day on which all of this is shown.
  let anchor: Date

  func answer(_ inquiry: Inquiry) -> Answer {
    if inquiry.fails {
      return .tmdb(.internalServerError, 11, "Internal error: Something went wrong, contact TMDb.")
    }
    guard inquiry.query["api_key"] == Sandbox.tmdbKey else {
      return .tmdb(.unauthorized, 7, "Invalid API key: You must be granted a valid key.")
    }
    guard inquiry.method == .get || inquiry.method == .head,
      let segments = inquiry.segments, segments.count == 3, segments[1] == "movie",
      let list = List(rawValue: segments[2])
    else { return .tmdb(.notFound, 34, "The resource you requested could not be found.") }
    guard let page = Int(inquiry.query["page"] ?? "1"), (1...500).contains(page) else {
      return .tmdb(
        .badRequest, 22,
        "Invalid page: Pages start at 1 and max at 500. They are expected to be an integer.")
    }
    let tongue = Tongue.named(inquiry.query["language"])
    let bytes = self.page(page, of: list, in: tongue, inquiry.options.realData).bytes
    var answer = Answer.json(.init(bytes: bytes)).tagged(Fingerprint(bytes))
    answer.headers[.cacheControl] = "public, max-age=300"
    answer.headers[.vary] = "Accept-Encoding"
    return answer.revalidated(against: inquiry.headers[.ifNoneMatch])
  }

  private func page(_ page: Int, of list: List, in tongue: Tongue, _ isReal: Bool) -> JSON {
    let films = list.films
    let pages = (films.count + Self.perPage - 1) / Self.perPage
    let range = min((page - 1) * Self.perPage, films.count)..<min(page * Self.perPage, films.count)
    let changes = isReal && page == 1 ? RealData.shared.movies : []
    let results = films[range].enumerated().map { index, film in
      let members = film.members(in: tongue, anchor: anchor)
      guard changes.indices.contains(index - 1) else { return JSON.object(members) }
      return changes[index - 1].applied(to: members)
    }
    var members: [(String, JSON)] = [
      ("page", .int(page)),
      ("results", .array(results)),
      ("total_pages", .int(pages)),
      ("total_results", .int(films.count)),
    ]
    if list == .nowPlaying {
      let dates = JSON.object([
        ("maximum", .day(anchor)), ("minimum", .day(anchor.addingTimeInterval(-45 * 86_400))),
      ])
      members.insert(("dates", dates), at: 0)
    }
    return .object(members)
  }
}

extension TMDB {
  /// A list that can be asked for.
  enum List: String, Sendable {
    case nowPlaying = "now_playing"
    case topRated = "top_rated"

    /// The films in their order; a few are in both lists.
    var films: [Film] {
      switch self {
      case .nowPlaying: Self.playing
      case .topRated: Self.best
      }
    }

    private static let playing = Film.all.prefix(137).sorted { $0.popularity > $1.popularity }

    private static let best = Film.all.dropFirst(117).sorted {
      ($1.votes.average, $0.id) < ($0.votes.average, $1.id)
    }
  }
}

extension Answer {
  /// TMDB's refusals: a status of its own, a sentence, and `success`.
  fileprivate static func tmdb(
    _ status: HTTPResponse.Status, _ code: Int, _ message: String
  ) -> Answer {
    .json(
      .object([
        ("status_code", .int(code)), ("status_message", .string(message)),
        ("success", .bool(false)),
      ]), status: status)
  }
}

extension JSON {
  /// A day as TMDB writes it: `2026-01-31`, in UTC.
  static func day(_ date: Date) -> JSON {
    .string(date.formatted(.iso8601.year().month().day()))
  }
}
