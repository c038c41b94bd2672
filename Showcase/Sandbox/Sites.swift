import Foundation

/// All look-alikes on one address: the path says which one is meant.
struct Sites: Site {
  private let gitHub: GitHub
  private let iTunes: ITunes
  private let tmdb: TMDB

  init(anchor: Date) {
    gitHub = GitHub(anchor: anchor)
    iTunes = ITunes(anchor: anchor)
    tmdb = TMDB(anchor: anchor)
  }

  func answer(_ inquiry: Inquiry) -> Answer {
    let segments = inquiry.segments ?? []
    if segments.first == "3" { return tmdb.answer(inquiry) }
    if segments.count > 2, segments[0].count == 2, ["rss", "movie"].contains(segments[1]) {
      return iTunes.answer(inquiry)
    }
    return gitHub.answer(inquiry)
  }
}
