public import Curlew
public import Domain

/// The operations of GitHub's REST API that the showcase uses.
public enum GitHub {
  /// A repository by its name; GitHub redirects from a former name to the present one.
  public static func repository(_ name: RepositoryName) -> Request<RepositoryPayload> {
    .get("/repos/\(name.owner)/\(name.name)")
      .sample(.json(#"{"full_name": "apple/swift"}"#))
  }

  /// A page of a repository's open issues, the newest first.
  public static func issues(
    of name: RepositoryName, page: Int = 1, perPage: Int = 100
  ) -> Request<[IssuePayload]> {
    .get(
      "/repos/\(name.owner)/\(name.name)/issues",
      query: ["state": "open", "per_page": perPage, "page": page]
    )
    .sample(
      .json(
        """
        [{"number": 1, "title": "Make it so", "body": null, "comments": 2,
          "user": {"login": "ada"}, "labels": [{"name": "bug", "color": "d73a4a"}],
          "created_at": "2026-01-31T12:00:00Z"}]
        """))
  }
}
