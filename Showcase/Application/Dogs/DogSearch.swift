public import CurlewScreens
public import Domain

/// The dog search: the generic search screen on a source of its own.
public typealias DogSearch = Search<Dog>

extension Search where Item == Dog {
  /// Searches a source of dogs.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - recent: Remembers those that were found, for the screen that shows one.
  public init(_ source: any DogSource, recent: RecentValues<String, Dog> = RecentValues()) {
    self.init { text in
      let dogs = try await source.dogs(named: text)
      recent.remember(dogs) { $0.id }
      return dogs
    }
  }
}
