import Foundation
import HTTPTypes
import NIOCore

/// A look-alike of the feeds at itunes.apple.com: the top movies of a country.
struct ITunes: Site {
  /// The day from which the movies' ages count back.
  let anchor: Date

  func answer(_ inquiry: Inquiry) -> Answer {
    if inquiry.fails { return .iTunes(.internalServerError, "Internal Server Error") }
    guard inquiry.method == .get || inquiry.method == .head, let segments = inquiry.segments else {
      return .iTunes(.methodNotAllowed, "Method Not Allowed")
    }
    guard let country = Country.named(segments[0]) else {
      return .iTunes(.badRequest, "Bad Request: there is no store in this country")
    }
    switch Array(segments.dropFirst()) {
    case ["rss", "topmovies", "json"]:
      return feed(inquiry, of: country, limit: 10)
    case let rest
    where rest.count == 4 && rest[1] == "topmovies" && rest[2].hasPrefix("limit=")
      && rest[3] == "json":
      // A limit that is no number is none, as far as Apple is concerned.
      let limit = Int(rest[2].dropFirst("limit=".count)) ?? 10
      return feed(inquiry, of: country, limit: min(max(limit, 1), 100))
    case let rest where rest.count == 3 && rest[0] == "movie":
      guard let movie = StoreMovie.all.first(where: { "id\($0.id)" == rest[2] }) else {
        return .iTunes(.notFound, "Not Found")
      }
      return .page("\(movie.title), by \(movie.artist)", movie.summary ?? "")
    default:
      return .iTunes(.notFound, "Not Found")
    }
  }

  private func feed(_ inquiry: Inquiry, of country: Country, limit: Int) -> Answer {
    let address = "\(inquiry.home)\(inquiry.path)"
    let page = "\(inquiry.home)/WebObjects/Store.woa/wa/viewTop?cc=\(country.code)&id=1&popId=15"
    let movies = country.chart.prefix(limit)
    let members = movies.map { $0.members(in: country, anchor: anchor, home: inquiry.home) }
    var entries = Damage.damaged(members, count: inquiry.options.damagedEntries)
    if inquiry.options.realData {
      for (index, change) in RealData.shared.storeMovies.enumerated()
      where index + 1 < entries.count {
        entries[index + 1] = change.applied(to: members[index + 1])
      }
    }
    let bytes = JSON.object([
      (
        "feed",
        .object([
          (
            "author",
            .object([
              ("name", .label("iTunes Store")), ("uri", .label("http://www.apple.com/itunes/")),
            ])
          ),
          // Apple's feeds are made from XML, where a list of one can't be told from its item.
          ("entry", entries.count == 1 ? entries[0] : .array(entries)),
          ("updated", .label(anchor.formatted(.iso8601))),
          ("rights", .label("Copyright of the sandbox: all of these movies are invented")),
          ("title", .label("iTunes Store: Top Movies")),
          ("icon", .label("\(inquiry.home)/favicon.ico")),
          (
            "link",
            .array([
              .attributes([("rel", "alternate"), ("type", "text/html"), ("href", page)]),
              .attributes([("rel", "self"), ("href", address)]),
            ])
          ),
          ("id", .label(address)),
        ])
      )
    ]).bytes
    var answer = Answer.json(.init(bytes: bytes)).tagged(Fingerprint(bytes))
    answer.headers[.contentType] = "application/json;charset=utf-8"
    answer.headers[.cacheControl] = "public, max-age=600"
    return answer.revalidated(against: inquiry.headers[.ifNoneMatch])
  }
}

extension Answer {
  /// Apple's refusals are no JSON, but a line of text.
  fileprivate static func iTunes(_ status: HTTPResponse.Status, _ text: String) -> Answer {
    Answer(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ByteBuffer(string: text + "\n"))
  }
}

extension JSON {
  /// What was an element's text before it became JSON.
  static func label(_ text: String) -> JSON { .object([("label", .string(text))]) }

  /// What was an element's attributes.
  static func attributes(_ members: [(String, String)]) -> JSON {
    .object([("attributes", .object(members.map { ($0.0, .string($0.1)) }))])
  }

  /// An element with both.
  static func label(_ text: String, _ members: [(String, String)]) -> JSON {
    .object([
      ("label", .string(text)), ("attributes", .object(members.map { ($0.0, .string($0.1)) })),
    ])
  }
}
