public import Curlew
public import Domain
import Foundation

/// The sandbox's own API of dogs.
public enum Kennel {
  /// A breed as it is sent: a list leaves out its coats and its temperament.
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

  /// The breeds whose names begin with a text.
  public static func dogs(_ text: String) -> Request<[BreedPayload]> {
    .get("/dogs/breeds", query: ["name": text])
  }

  /// One breed at length.
  public static func dog(_ id: String) -> Request<BreedPayload> { .get("/dogs/breeds/\(id)") }
}

/// The dogs of the sandbox's kennel, a slow server.
public struct KennelDogs: DogSource {
  private let client: Client

  /// Uses a client whose base URL is that of the sandbox.
  public init(client: Client) {
    self.client = client
  }

  /// Asks for the dogs.
  public func dogs(named text: String) async throws -> [Dog] {
    try await client.send(Kennel.dogs(text)).map(\.dog)
  }

  /// Asks for a dog; only 404 means that there is none.
  public func dog(_ id: String) async throws -> Dog? {
    try await client.found(Kennel.dog(id))?.value.dog
  }
}
