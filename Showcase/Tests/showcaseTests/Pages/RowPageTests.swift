import Application
import CurlewLiveTesting
import Domain
import Foundation
import Sandbox
import Testing
import showcase

/// Pages show the texts of the rows, completely and in the same order.
@Suite(.timeLimit(.minutes(1)))
struct RowPageTests {
  @Test(.served) func `cards say just what the rows say`() async throws {
    let page = try await served.open("/itunes")
    let rows = try await served.store.topMovies(in: "us", limit: 25).items
      .map { StoreMovieRow($0) }
    #expect(rows.count == 25)
    #expect(page.texts("#list h2") == rows.map(\.title))
    #expect(page.texts("#list .meta") == rows.map(\.releaseDate))
    #expect(page.texts("#list .price") == rows.map(\.price))
    #expect(page.texts("#list .rental") == rows.map(\.rental).filter { !$0.isEmpty })
    #expect(page.texts("#list .topic") == rows.map(\.category))
    #expect(page.texts("#list .summary") == rows.map(\.summary))
    #expect(page.texts("#list .rank") == (1...25).map { "\($0)" })
    #expect(
      page.elements.attributes("href", of: "#list h2 a")
        == rows.compactMap { $0.link?.absoluteString })
    #expect(
      Set(page.elements.attributes("rel", of: "#list h2 a")) == ["noopener noreferrer external"])
    #expect(page.texts("#end") == ["All 25 are shown."])
  }

  @Test(.served) func `posters say what the rows say`() async throws {
    let page = try await served.open("/movies")
    #expect(page.address == "/movies/now-playing")
    let list = try await served.catalogue.movies(in: .nowPlaying, language: "en-US", page: 1)
    let rows = list.items.map { MovieRow($0) }
    #expect(!rows.isEmpty)
    #expect(page.texts("#list h2") == rows.map(\.title))
    #expect(page.texts("#list .summary") == rows.map(\.overview))
    #expect(
      page.elements.attributes("src", of: "#list img") == rows.compactMap { $0.poster?.imagePath })
    #expect(page.texts("#list .vote").first == "Rated \(try #require(rows[0].vote)) of 10")
    #expect(page.text("#status")?.hasPrefix("\(try #require(list.total)) movies") == true)
  }

  @Test(.served) func `repositories say what the rows say`() async throws {
    let page = try await served.open("/repositories?language=kotlin")
    let list = try await served.host.repositories(in: "kotlin", page: 1)
    #expect(!list.items.isEmpty)
    #expect(page.texts("#list .name") == list.items.map { "\($0.name)" })
    let count = try #require(list.items[0].stars)
    #expect(page.texts("#list .fact")[1] == "\(RepositoryRow.short(count)) stars")
    let total = try #require(list.total)
    #expect(page.text("#status")?.hasPrefix("\(total) repositories in kotlin") == true)
  }
}
