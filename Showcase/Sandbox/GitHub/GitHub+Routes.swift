import HTTPTypes
import NIOCore

extension GitHub {
  /// Finds what a request asks for; GitHub answers an unknown method with a 404 too.
  func route(_ inquiry: Inquiry) -> Answer {
    guard inquiry.method == .get || inquiry.method == .head, let segments = inquiry.segments else {
      return .notFound()
    }
    switch segments.first {
    case "" where segments.count == 1:
      return root(inquiry)
    case "repos" where segments.count >= 3:
      let rest = Array(segments.dropFirst(3))
      if let id = Catalogue.renamed["\(segments[1])/\(segments[2])".lowercased()] {
        return moved(inquiry, to: id, rest)
      }
      return answer(inquiry, about: Catalogue.repository(segments[1], segments[2]), rest)
    case "search" where segments == ["search", "repositories"]:
      return search(inquiry)
    case "repositories" where segments.count >= 2:
      let repository = Int(segments[1]).flatMap { Catalogue.repository($0) }
      return answer(inquiry, about: repository, Array(segments.dropFirst(2)))
    case .some where segments.count == 4 && ["issues", "pull"].contains(segments[2]):
      return page(inquiry, segments)
    case .some where segments.count == 2:
      return page(of: segments)
    default:
      return .notFound()
    }
  }

  private func answer(
    _ inquiry: Inquiry, about repository: Repository?, _ rest: [String]
  ) -> Answer {
    switch rest {
    case []:
      guard let repository else { return .notFound("repos/repos#get-a-repository") }
      let bytes = repository.json(anchor: anchor, home: inquiry.home).bytes
      return .json(.init(bytes: bytes)).tagged(Fingerprint(bytes)).cacheable(inquiry)
    case ["issues"]:
      guard let repository else { return .notFound("issues/issues#list-repository-issues") }
      return list(inquiry, of: repository).cacheable(inquiry)
    case _ where rest.count == 2 && rest[0] == "issues":
      guard let entry = entry(rest[1], of: repository, inquiry) else {
        return .notFound("issues/issues#get-an-issue")
      }
      return .json(.init(bytes: entry.bytes)).tagged(entry.fingerprint).cacheable(inquiry)
    default:
      return .notFound()
    }
  }

  func entry(_ number: String, of repository: Repository?, _ inquiry: Inquiry) -> Shelf.Entry? {
    guard let repository else { return nil }
    return shelf(of: repository, home: inquiry.home).entries
      .first { String($0.issue.number) == number }
  }

  private func root(_ inquiry: Inquiry) -> Answer {
    .json(
      .object([
        ("repository_url", .string("\(inquiry.base)/repos/{owner}/{repo}")),
        ("repository_issues_url", .string("\(inquiry.base)/repos/{owner}/{repo}/issues")),
        (
          "repository_search_url",
          .string("\(inquiry.base)/search/repositories?q={query}{&page,per_page,sort,order}")
        ),
      ]))
  }

  private func moved(_ inquiry: Inquiry, to id: Int, _ rest: [String]) -> Answer {
    guard let tail = [[]: "", ["issues"]: "/issues"][rest] else { return .notFound() }
    let query = inquiry.query.text
    let address =
      "\(inquiry.base)/repositories/\(id)\(tail)" + (query.isEmpty ? "" : "?\(query)")
    return .movedPermanently(to: address)
  }
}

extension Answer {
  /// Adds GitHub's rules for caches; an answer to a token is not for shared caches.
  fileprivate func cacheable(_ inquiry: Inquiry) -> Answer {
    guard status == .ok else { return self }
    let isPrivate = inquiry.headers[.authorization] != nil
    var answer = self
    answer.headers[.cacheControl] = "\(isPrivate ? "private" : "public"), max-age=60, s-maxage=60"
    answer.headers[.vary] = isPrivate ? "Accept, Authorization, Cookie" : "Accept"
    return answer
  }
}
