import Application
import Domain
import Platform

extension ScreenEntry {
  static let dogs = ScreenEntry(
    "dogs",
    link: Link(
      "Dogs",
      icon:
        "M12 12.500c-3 0-5.500 3-5.500 5.300 0 1.700 1.300 2.200 2.600 2.200 1.100 0 1.900-.5 2.900-.5s1.800.5 2.900.5c"
        + "1.300 0 2.600-.5 2.600-2.200 0-2.300-2.500-5.300-5.500-5.300zM9 5v3M15 5v3M5 10v2M19 10v2",
      text: "The smallest screen: a search over a list of breeds."),
    actions: "term TEXT, submit, retry", command: DogsCommand.self,
    example: ("dogs gre --json", "dog breeds by name, as JSON"),
    page: { DogsPage(DogSearch($0.dogs)) })
}

extension DataSources {
  /// The dogs: those of the sandbox, or a few that are at hand wherever the rest comes from.
  var dogs: any DogSource { kennel ?? SlowDogs(clock: clock) }
}
