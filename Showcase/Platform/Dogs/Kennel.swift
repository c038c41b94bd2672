public import Curlew
public import Domain

/// The sandbox's own API of dogs.
public enum Kennel {
  /// A breed as it is sent.
  public struct BreedPayload: Decodable, Sendable {
    let name: String
  }

  /// The breeds whose names begin with a text.
  public static func dogs(_ text: String) -> Request<[BreedPayload]> {
    .get("/dogs/breeds", query: ["name": text])
  }
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
    try await client.send(Kennel.dogs(text)).map { Dog(name: $0.name) }
  }
}
