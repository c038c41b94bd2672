public import CurlewScreens
public import Domain

/// The dog search: the generic search screen with dogs as its items.
public typealias DogSearch = Search<Dog>

extension Search where Item == Dog {
  /// Creates a search of a source of dogs.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - recent: Stores the dogs found, for the detail screen.
  public init(_ source: any DogSource, recent: RecentValues<String, Dog> = RecentValues()) {
    self.init { text in
      let dogs = try await source.dogs(named: text)
      recent.remember(dogs) { $0.id }
      return dogs
    }
  }
}
