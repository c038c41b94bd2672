import Application
import CurlewScreens
import Domain

/// The dog search in a browser.
typealias DogsPage = SearchPage<Dog>

extension SearchPage where Item == Dog {
  init(_ screen: DogSearch) {
    self.init(
      path: "/dogs",
      texts: Texts(
        title: "Dogs", lead: "Which breeds begin with what you type?", label: "Breed",
        examples: ["Great", "Shiba", "German"]),
      screen: ActivityTracking(screen), row: \.name)
  }
}
