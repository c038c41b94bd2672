import Application
import CurlewScreens
import Domain

/// The dog search in a browser.
typealias DogsPage = SearchPage<Dog>

extension SearchPage where Item == Dog {
  init(_ screen: DogSearch, _ templates: Templates) {
    self.init(
      path: "/dogs",
      words: Words(
        title: "Dogs", lead: "Which breeds begin with what you type?", label: "Breed",
        examples: ["Great", "Shiba", "German"]),
      screen: ActivityTracking(screen), templates: templates, row: \.name)
  }
}
