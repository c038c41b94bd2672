public import CurlewScreens
public import Domain

/// The dog search: the generic search screen on a source of its own.
public typealias DogSearch = Search<Dog>

extension Search where Item == Dog {
  /// Searches a source of dogs.
  public init(_ source: any DogSource) {
    self.init { text in try await source.dogs(named: text) }
  }
}
