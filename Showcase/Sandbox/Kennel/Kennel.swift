import Foundation
import HTTPTypes
import Hummingbird

/// The sandbox's own API for dog breeds: a search by the beginning of the name, and the details of
/// a breed.
///
/// It is slow, so that users can type faster than it responds. Its responses are not cacheable.
struct Kennel: Site {
  private static let routes = [
    Route("/dogs/breeds", Kennel.breeds), Route("/dogs/breeds/:id", Kennel.breed),
  ]
  private static let missing = Response.json(
    ["message": "There is no such breed."], status: .notFound)
  private static let fields = ["Cache-Control": "no-store"]

  /// The additional delay besides the sandbox's latency.
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
