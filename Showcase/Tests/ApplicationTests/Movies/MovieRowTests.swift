import Application
import Domain
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MovieRowTests {
  func row(
    title: String = "Alien", date: String = "1979-05-25", vote: Double? = 8.15, votes: Int? = 1,
    overview: String = "In space."
  ) -> MovieRow {
    MovieRow(
      Movie(
        id: 1, title: title, poster: URL(string: "https://example.com/p.jpg"), releaseDate: date,
        voteAverage: vote, voteCount: votes, overview: overview))
  }

  @Test func `row says title year vote and overview`() {
    let row = row()
    #expect(row.title == "Alien")
    #expect(row.year == "1979")
    #expect(row.overview == "In space.")
    #expect(row.poster?.absoluteString == "https://example.com/p.jpg")
  }

  @Test(
    arguments: [
      (7.44, 10, "7.4"), (7.46, 10, "7.5"), (10, 1, "10.0"), (0, 3, "0.0"), (0, 0, "–"),
      (8.2, 0, "–"), (8.2, -1, "–"),
    ] as [(Double, Int, String)])
  func `vote has one decimal where somebody voted`(vote: Double, votes: Int, text: String) {
    #expect(row(vote: vote, votes: votes).vote == text)
  }

  @Test func `unknown votes are not none`() {
    #expect(row(vote: nil, votes: nil).vote == nil)
    #expect(row(vote: 7, votes: nil).vote == nil)
    #expect(row(vote: nil, votes: 3).vote == nil)
  }

  @Test(arguments: [
    ("2026-01-31", "2026"), ("2026", "2026"), ("", ""), ("202", ""), ("soon", ""), ("20x6-01", ""),
    ("20266-01", ""), ("٢٠٢٦-01-31", ""), ("-2026", ""),
  ])
  func `year is that of the date`(date: String, year: String) {
    #expect(row(date: date).year == year)
  }

  @Test(arguments: ["", "  ", "\n"])
  func `what is missing is replaced`(blank: String) {
    #expect(row(title: blank).title == "(no title)")
    #expect(row(overview: blank).overview == "No description.")
  }
}

/// The exact texts of a store's movie.
@Suite(.timeLimit(.minutes(1)))
struct StoreMovieRowTests {
  func row(
    title: String = "Wicked", date: String = "November 4, 2025", amount: String? = "14.99",
    currency: String = "USD", rental: String? = nil, summary: String? = nil
  ) -> StoreMovieRow {
    StoreMovieRow(
      StoreMovie(
        id: "1", rank: 1, title: title, image: URL(string: "https://example.com/i.png"),
        releaseDate: date,
        amount: amount, currency: currency, rentalPrice: rental, category: "Musicals",
        link: URL(string: "https://example.com/1"), summary: summary))
  }

  @Test func `row has the stores exact texts`() {
    let row = row(rental: "$5.99", summary: "Two witches.")
    #expect(row.title == "Wicked")
    #expect(row.releaseDate == "Release date: November 4, 2025")
    #expect(row.price == "14.99 USD")
    #expect(row.rental == "Rent for $5.99")
    #expect(row.category == "Musicals")
    #expect(row.summary == "Two witches.")
    #expect(row.image?.absoluteString == "https://example.com/i.png")
    #expect(row.link?.absoluteString == "https://example.com/1")
  }

  @Test(arguments: [(" WALL·E\n", "WALL·E"), ("", "(no title)"), (" ", "(no title)")])
  func `a stores title is never empty`(title: String, shown: String) {
    #expect(row(title: title).title == shown)
  }

  @Test(
    arguments: [
      ("14.99", "USD", "14.99 USD"), ("14.99000", "USD", "14.99 USD"), ("9.90", "USD", "9.90 USD"),
      ("9.9", "USD", "9.90 USD"), ("9", "USD", "9.00 USD"), ("0", "USD", "0.00 USD"),
      ("0.00000", "USD", "0.00 USD"), ("19.999", "USD", "20.00 USD"), ("007.5", "USD", "7.50 USD"),
      ("1234567.891", "USD", "1234567.89 USD"), ("1200", "JPY", "1200.00 JPY"),
      ("14.99", "", "14.99"), (nil, "USD", "Price unknown"),
    ] as [(String?, String, String)])
  func `price has two decimals and its currency`(amount: String?, currency: String, price: String) {
    let row = row(amount: amount, currency: currency, rental: amount)
    #expect(row.price == price)
    #expect(row.rental == (amount == nil ? "" : "Rent for \(price)"))
  }

  @Test func `facts are in the words of their language`() {
    let movie = Movie(
      id: 1, title: "Stars", poster: nil, releaseDate: "2019-07-02", voteAverage: 6.94,
      voteCount: 1_204, overview: "", originalTitle: "星空", runtime: 118)
    let german = MovieFacts(movie, language: "de-DE")
    #expect(german.released == "2. Juli 2019")
    #expect(MovieFacts(movie, language: "en-US").released == "July 2, 2019")
    #expect(german.runtime == "1 h 58 min")
    #expect(german.rating == "6.9 of 10, 1,204 votes")
    #expect(german.originalTitle == "星空")
    #expect(german.overview == "No description.")
  }

  @Test(arguments: ["", "2019", "2019-13-40", "soon", "12345-01-31"])
  func `date that is none is left out`(date: String) {
    let movie = Movie(
      id: 1, title: "Stars", poster: nil, releaseDate: date, voteAverage: nil, voteCount: nil,
      overview: "", originalTitle: "Stars", runtime: .max)
    let facts = MovieFacts(movie, language: "en-US")
    #expect(facts.released == nil && facts.rating == nil && facts.originalTitle == nil)
  }

  @Test(arguments: [
    "", " ", "Get", "nan", "NaN", "inf", "infinity", "-1", "+1", "1e3", "0x10", "0x1p3", "1,99",
    "1.", ".", "1.2.3", "$5", "5 USD", "5\n", "٣", "５", String(repeating: "9", count: 400),
  ])
  func `amount that is no number is not for sale`(amount: String) {
    #expect(row(amount: amount).price == "Not available for Purchase")
  }

  @Test(arguments: ["", " "])
  func `empty date and rent say nothing`(blank: String) {
    #expect(row(date: blank).releaseDate == "")
    #expect(row(rental: blank).rental == "")
  }

  @Test(arguments: [nil, "", "   ", "\n\t "])
  func `summary that is missing or blank is replaced`(summary: String?) {
    #expect(row(summary: summary).summary == "No data provided")
  }
}
