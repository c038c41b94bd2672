import Application
import CurlewLive
import CurlewScreens
import Domain
import Platform

extension ScreenEntry {
  static let dogs = ScreenEntry(
    name: "dogs",
    link: Link(
      title: "Dogs",
      icon:
        "M12 12.500c-3 0-5.5 3-5.5 5.3 0 1.7 1.3 2.2 2.6 2.2 1.1 0 1.9-.5 2.9-.5s1.8.5 2.9.5c"
        + "1.3 0 2.6-.5 2.6-2.2 0-2.3-2.5-5.3-5.5-5.300zM9 5v3M15 5v3M5 10v2M19 10v2",
      miniature: .rows(["Great Dane", "Great Pyrenees", "Giant Schnauzer"], isRound: false),
      text: "The smallest screen: a search for dog breeds, with pictures and details."),
    actions: "term TEXT, submit, retry", command: DogsCommand.self,
    example: ("dogs gre --json", "dog breeds by name, as JSON"),
    page: { DogsPage(DogSearch($0.dogs, recent: $0.recentDogs)) })
}

extension DataSources {
  /// The dogs of the sandbox, or else a few built-in dogs.
  var dogs: any DogSource { kennel ?? SlowDogs(clock: clock) }
}

/// The page of the dog search.
typealias DogsPage = SearchPage<Dog>

extension SearchPage where Item == Dog {
  init(_ screen: DogSearch) {
    self.init(
      path: "/dogs", title: "Dogs", lead: "Type the beginning of a breed's name.", label: "Breed",
      examples: ["Great", "Shiba", "German"], screen: screen, row: \.name,
      markup: { DogRowView(dog: $0).html }, address: \.address)
  }
}

/// A breed in the list of results.
struct DogRowView: TemplateView {
  let dog: Dog
  private var facts: DogFacts { DogFacts(dog) }
  private var picture: String? { dog.picture?.imagePath }

  static let template = HTMLTemplate<Self>(PackageResources.dogrow_mustache)
  static let names: TemplateNames<Self> = [
    "name": \.dog.name, "href": \.dog.address, "facts": \.facts.parts, "line": \.facts.line,
    "picture": \.picture,
  ]
}
