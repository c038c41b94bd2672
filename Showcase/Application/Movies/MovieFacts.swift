public import Domain
public import Foundation

/// The texts of a movie's page.
public struct MovieFacts: Equatable, Sendable {
  /// The title; never empty.
  public let title: String
  /// The title in the original language, if it differs.
  public let originalTitle: String?
  /// The localized release date, such as `March 4, 2016`; `nil` if unknown.
  public let released: String?
  /// The running time, such as `1 h 44 min`; `nil` if unknown.
  public let runtime: String?
  /// The rating, such as `7.4 of 10, 1,204 votes` or `No votes yet`; `nil` if unknown.
  public let rating: String?
  /// The description; never empty.
  public let overview: String
  /// The poster.
  public let poster: URL?
  /// The wide image.
  public let backdrop: URL?

  /// Creates the texts for a movie in a language, such as `de-DE`.
  public init(_ movie: Movie, language: String) {
    let row = MovieRow(movie)
    (title, overview, poster) = (row.title, row.overview, row.poster)
    backdrop = movie.backdrop
    originalTitle = movie.originalTitle.flatMap { $0 == row.title ? nil : $0 }
    let locale = Locale(identifier: language)
    let isDay = movie.releaseDate.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil
    let day = Date.ISO8601FormatStyle().year().month().day()
    released = (isDay ? try? day.parse(movie.releaseDate) : nil).map {
      var style = Date.FormatStyle(date: .long, time: .omitted, locale: locale)
      style.timeZone = .gmt
      return $0.formatted(style)
    }
    runtime = movie.runtime.map { minutes in
      minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
    rating = movie.voteCount.flatMap { count in
      let votes = count.formatted(.number.locale(Locale(identifier: "en_US")))
      return count > 0
        ? row.vote.map { "\($0) of 10, \(votes) \(count == 1 ? "vote" : "votes")" } : "No votes yet"
    }
  }
}
