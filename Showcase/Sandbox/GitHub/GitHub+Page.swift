extension GitHub {
  /// The small page behind an issue's `html_url`, so that following the link leads somewhere true.
  func page(_ inquiry: Inquiry, _ segments: [String]) -> Answer {
    guard let repository = Catalogue.repository(segments[0], segments[1]),
      let issue = entry(segments[3], of: repository, inquiry)?.issue
    else { return .notFound() }
    return .page(
      "\(issue.title) · #\(issue.number) · \(repository.fullName)",
      issue.body ?? "No description.")
  }

  /// The small page behind a repository's `html_url`.
  func page(of segments: [String]) -> Answer {
    guard let repository = Catalogue.repository(segments[0], segments[1]) else {
      return .notFound()
    }
    return .page(repository.fullName, repository.description ?? "No description.")
  }
}
