import Foundation
import HTTPTypes
import Hummingbird

/// A small API of the sandbox's own: breeds of dogs by the beginnings of their names, and one at length.
///
/// It is slow, so that one can type faster than it responds, and its responses are not for caches.
struct Kennel: Site {
  private static let routes = [
    Route("/dogs/breeds", Kennel.breeds), Route("/dogs/breeds/:id", Kennel.breed),
  ]
  private static let missing = Response.json(
    ["message": "There is no such thing."], status: .notFound)
  private static let fields = ["Cache-Control": "no-store"]

  /// The time that it takes besides the sandbox's latency.
  static let slowness = Duration.milliseconds(600)

  func response(to request: SiteRequest) -> Response {
    response(to: request, Self.routes)
      ?? Self.missing
  }

  private func breeds(_ request: SiteRequest) throws(Response) -> Response {
    let start = request.query["name"] ?? ""
    let found = Breed.all.filter { breed in
      let options: String.CompareOptions = [.anchored, .caseInsensitive, .diacriticInsensitive]
      return start.isEmpty || breed.name.range(of: start, options: options) != nil
    }
    return .json(.array(found.map { $0.summary(home: request.home) })).with(Self.fields)
  }

  private func breed(_ request: SiteRequest) throws(Response) -> Response {
    guard let breed = Breed.byID[request.parameters["id"] ?? ""] else { throw Self.missing }
    return .json(breed.detail(home: request.home)).with(Self.fields)
  }
}
