import CurlewTerminal
import Domain
import Foundation
import Testing
import showcase

/// The tables of repositories and movies: their columns, and the order in which columns are
/// omitted.
@Suite(.timeLimit(.minutes(1)))
struct ListTableTests {
  let repositories: Listing<Repository>
  let movies = Listing([
    Movie(
      id: 1, title: "星空", poster: nil, releaseDate: "2026-01-31", voteAverage: 7.45, voteCount: 2,
      overview: "A night under the stars that is longer than anybody thought."),
    Movie(
      id: 2, title: "", poster: nil, releaseDate: "", voteAverage: 0, voteCount: 0, overview: ""),
  ])

  init() throws {
    repositories = Listing([
      Repository(
        name: try #require(RepositoryName("apple/swift")), summary: "The Swift 🦅 language",
        language: "C++", stars: 67_012, forks: 10_000),
      Repository(name: try #require(RepositoryName("ada/notes")), stars: 7),
    ])
  }

  @Test func `repositories have exact numbers and a description`() async throws {
    let printout = try await Printout(repositories, title: "swift", isFictitious: true)
    #expect(
      printout.lines(within: 80) == [
        "swift: 2 repositories (sandbox data)",
        "STARS  FORKS  NAME         LANGUAGE  DESCRIPTION",
        "67012  10000  apple/swift  C++       The Swift 🦅 language",
        "    7      –  ada/notes              No description.",
      ])
    #expect(
      printout.lines(within: 40) == [
        "swift: 2 repositories (sandbox data)",
        "STARS  FORKS  NAME         LANGUAGE",
        "67012  10000  apple/swift  C++",
        "    7      –  ada/notes",
      ])
  }

  @Test func `movies have year vote and overview`() async throws {
    let printout = try await Printout(movies, title: "Top rated")
    #expect(
      printout.lines(within: 60) == [
        "Top rated: 2 movies",
        "YEAR  VOTE  TITLE       OVERVIEW",
        "2026   7.5  星空        A night under the stars that is lon…",
        "         –  (no title)  No description.",
      ])
    #expect(
      printout.lines(within: 24).dropFirst() == [
        "YEAR  VOTE  TITLE", "2026   7.5  星空", "         –  (no title)",
      ])
    #expect(printout.lines(within: 20).last == "         –  (no tit…")
  }

  @Test func `top movies have the texts of the store and their rank`() async throws {
    func movie(_ id: String, rank: Int, _ amount: String) -> StoreMovie {
      StoreMovie(
        id: id, rank: rank, title: "Straße \(id)", image: nil, releaseDate: "March 4, 2025",
        amount: amount, currency: "USD", rentalPrice: nil, category: "Drama", link: nil,
        summary: nil)
    }
    let listing = Listing(
      [movie("a", rank: 1, "14.99000"), movie("b", rank: 3, "Get")],
      damaged: [DamagedEntry(index: 1, reason: "no title")])
    let printout = try await Printout(listing, title: "iTunes us")
    #expect(
      printout.lines(within: nil)
        == [
          "#  TITLE     PRICE                       RELEASE                      CATEGORY",
          "1  Straße a  14.99 USD                   Release date: March 4, 2025  Drama",
          "3  Straße b  Not available for Purchase  Release date: March 4, 2025  Drama",
        ])
    let json = try printout.list.items.map { Printout.json($0) }.json
    #expect(json.contains(#""rank" : 3"#) && !json.contains(#""rank" : 2"#))
    #expect(json.contains(#""summary" : null"#))
  }

  @Test func `count that is not known is a dash`() {
    let count = Column<Int?>.count("STARS") { $0 }
    let lines = [count].table(
      of: [nil, 0, 12] as [Int?], on: Terminal(windowWidth: nil, environment: [:]))
    #expect(lines == ["STARS", "    –", "    0", "   12"])
  }
}
