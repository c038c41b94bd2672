public import CurlewScreens
public import Domain

/// The dog search: the generic search screen on a source of its own.
public typealias DogSearch = Search<Dog>

extension Search where Item == Dog {
  /// Searches a kennel.
  public init(_ kennel: Kennel) {
    self.init { text in try await kennel.dogs(named: text) }
  }
}
