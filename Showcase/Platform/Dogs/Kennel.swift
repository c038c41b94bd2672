public import Curlew
public import Domain
import Foundation

/// The sandbox's own API for dogs.
public enum Kennel {
  /// The JSON representation of a breed; lists omit the coats and the temperament.
  public struct BreedPayload: Decodable, Sendable {
    struct Bounds: Decodable, Sendable {
      let min, max: Int

      var range: ClosedRange<Int>? { min <= max ? min...max : nil }
    }

    let id, name: String
    let origin, group: String?
    let weight, lifespan: Bounds?
    let coats, temperament: [String]?
    let picture: URL?

    /// The breed.
    public var dog: Dog {
      var dog = Dog(name: name, id: id)
      (dog.origin, dog.group, dog.picture) = (origin, group, picture)
      (dog.weight, dog.lifespan) = (weight?.range, lifespan?.range)
      (dog.coats, dog.temperament) = (coats ?? [], temperament ?? [])
      return dog
    }
  }

  /// Returns a request for the breeds whose names begin with a text.
  public static func dogs(_ text: String) -> Request<[BreedPayload]> {
    .get("/dogs/breeds", query: ["name": text])
  }

  /// Returns a request for the details of a breed.
  public static func dog(_ id: String) -> Request<BreedPayload> { .get("/dogs/breeds/\(id)") }
}

/// The dogs of the sandbox's API, a slow server.
public struct KennelDogs: DogSource {
  private let client: Client

  /// Creates a source; the client's base URL is the sandbox's URL.
  public init(client: Client) {
    self.client = client
  }

  /// Requests the dogs whose names begin with a text.
  public func dogs(named text: String) async throws -> [Dog] {
    try await client.send(Kennel.dogs(text)).map(\.dog)
  }

  /// Requests a dog; only a 404 response means that it doesn't exist.
  public func dog(_ id: String) async throws -> Dog? {
    try await client.found(Kennel.dog(id))?.value.dog
  }
}
