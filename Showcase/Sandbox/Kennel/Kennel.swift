import Foundation
import HTTPTypes
import Hummingbird

/// A small API of the sandbox's own: breeds of dogs by the beginnings of their names.
///
/// It is slow, so that one can type faster than it responds, and its responses are not for caches.
struct Kennel: Site {
  private static let routes = [Route("/dogs/breeds", Kennel.breeds)]

  /// The time that it takes besides the sandbox's latency.
  static let slowness = Duration.milliseconds(600)

  private static let names = """
    Afghan Hound,Airedale Terrier,Akita,Alaskan Malamute,American Foxhound,Australian Shepherd,Basenji,
    Basset Hound,Beagle,Bearded Collie,Bernese Mountain Dog,Bichon Frise,Bloodhound,Border Collie,
    Border Terrier,Borzoi,Boxer,Bulldog,Bullmastiff,Cairn Terrier,Cavalier King Charles Spaniel,
    Chihuahua,Chow Chow,Cocker Spaniel,Corgi,Dachshund,Dalmatian,Dobermann,Duck Toller,English Setter,
    Finnish Lapphund,Finnish Spitz,Fox Terrier,German Shepherd,German Spitz,Giant Schnauzer,
    Golden Retriever,Gordon Setter,Great Dane,Great Pyrenees,Greyhound,Havanese,Hovawart,Husky,
    Irish Setter,Irish Wolfhound,Jack Russell Terrier,Keeshond,Komondor,Kuvasz,Labrador Retriever,
    Lagotto Romagnolo,Leonberger,Lhasa Apso,Maltese,Mastiff,Miniature Schnauzer,Newfoundland,
    Norwegian Elkhound,Old English Sheepdog,Papillon,Pekingese,Pointer,Pomeranian,Poodle,Pug,Puli,
    Rhodesian Ridgeback,Rottweiler,Saint Bernard,Saluki,Samoyed,Scottish Terrier,Shar Pei,
    Shetland Sheepdog,Shiba Inu,Shih Tzu,Spinone,Staffordshire Bull Terrier,Tibetan Mastiff,
    Tibetan Terrier,Toy Fox Terrier,Vizsla,Weimaraner,Welsh Terrier,West Highland Terrier,Whippet,
    Yorkshire Terrier
    """.split(whereSeparator: { $0 == "," || $0.isNewline }).map(String.init)

  func response(to request: SiteRequest) -> Response {
    response(to: request, Self.routes)
      ?? .json(["message": "There is no such thing."], status: .notFound)
  }

  private func breeds(_ request: SiteRequest) throws(Response) -> Response {
    let start = request.query["name"] ?? ""
    let found = Self.names.filter { name in
      let options: String.CompareOptions = [.anchored, .caseInsensitive, .diacriticInsensitive]
      return start.isEmpty || name.range(of: start, options: options) != nil
    }
    return .json(.array(found.map { ["name": .string($0)] })).with(["Cache-Control": "no-store"])
  }
}
