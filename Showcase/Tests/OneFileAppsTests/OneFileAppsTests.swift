import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import Testing

@testable import OneFileApps

/// The logic of the apps in FromTheTutorials.md meets the requirements in Showcase/Apps/README.md.
@Suite(.timeLimit(.minutes(1)))
struct OneFileAppsTests {
  private let clock = TestClock()
  private let stub: StubTransport

  init() { stub = StubTransport(clock: clock) }

  private var github: GitHub { GitHub(client: stubbed(GitHub().client)) }

  /// Returns an app's client with a stubbed transport.
  private func stubbed(_ client: Client) -> Client {
    Client(baseURL: client.baseURL) {
      $0 = client.configuration
      ($0.transport, $0.clock) = (stub, clock)
      // The clock advances faster than the tasks, so timeouts are disabled.
      ($0.limits.total, $0.limits.firstByte, $0.limits.connect) = (nil, nil, nil)
    }
  }

  private func repository(_ name: String, id: Int = 1, more: String = "") -> String {
    """
    {"id": \(id), "full_name": "\(name)", "description": null, "stargazers_count": 9, "forks_count": 3,
     "open_issues_count": 2, "license": null\(more)}
    """
  }

  // MARK: 1, issues

  @Test func `issues are asked of the repository that the first request has found`() async throws {
    stub.stub(.get, "/repos/old/name", with: .json(repository("apple/swift")))
    stub.stub(
      .get, "/repos/apple/swift/issues",
      with: .json(
        """
        [{"id": 1, "number": 9, "title": "Crash", "user": null},
         {"id": 2, "number": 8, "title": "Change", "user": {"login": "ann"}, "pull_request": {}},
         {"id": 3, "number": 7, "title": "Slow", "user": {"login": "ann"}}]
        """))
    let runner = Runner(Search<OneFileApps.Issue>.openIssues(at: github))
    runner.send(.term("old/name"))
    await runner.send(.submit).finished()
    #expect(runner.state.items.map(\.number) == [9, 7])
    #expect(runner.state.items.map(\.author) == ["ghost", "ann"])
    #expect(stub.requests.last?.head.path == "/repos/apple/swift/issues?state=open&per_page=100")
  }

  @Test(arguments: ["swift", "a/b/c", "a/..", "a b/c", "a/?"])
  func `a text that names no repository gets a hint and sends nothing`(text: String) async {
    let runner = Runner(Search<OneFileApps.Issue>.openIssues(at: github))
    runner.send(.term(text))
    await runner.send(.submit).finished()
    #expect(runner.state.placeholder == .hint("Repositories are written owner/name."))
    #expect(stub.requests.isEmpty)
  }

  @Test func `a repository that does not exist has no issues`() async {
    stub.stub(.get, "/repos/a/b", with: .json(#"{"message": "Not Found"}"#, status: .notFound))
    let runner = Runner(Search<OneFileApps.Issue>.openIssues(at: github))
    runner.send(.term("a/b"))
    await runner.send(.submit).finished()
    #expect(runner.state.placeholder == .empty(term: "a/b"))
  }

  // MARK: 2, top movies

  @Test func `top movies have their rank and the largest poster, and stay without a price`()
    async throws
  {
    stub.stub(
      .get, "/us/rss/topmovies/limit=25/json",
      with: .json(
        """
        {"feed": {"entry": [
          {"id": {"label": "x", "attributes": {"im:id": "7"}}, "im:name": {"label": "A"},
           "im:image": [{"label": "https://i.example/s"}, {"label": "https://i.example/l"}],
           "im:price": {"label": "$9.99"}, "im:releaseDate": {"label": "2016-03-04T00:00:00-07:00",
           "attributes": {"label": "March 4, 2016"}}},
          {"id": {"label": "y", "attributes": {"im:id": "8"}}, "im:name": {"label": "B"},
           "im:image": []},
          {"im:name": {"label": "Damaged"}}]}}
        """))
    let movies = try await ITunes(client: stubbed(ITunes().client)).topMovies()
    #expect(movies.map(\.rank) == [1, 2])
    #expect(movies.map(\.id) == ["7", "8"])
    #expect(movies[0].movie.poster == URL(string: "https://i.example/l"))
    #expect(movies[1].movie.poster == nil)
    #expect(movies.map(\.details) == ["1 · $9.99 · March 4, 2016", "2"])
  }

  // MARK: 3, dogs

  @Test func `dogs are asked for by name and again after a failure`() async throws {
    stub.stub(
      .get, "/dogs", with: .status(.serviceUnavailable),
      .json(#"[{"id": 1, "name": "Rex", "breed": "Akita"}]"#))
    let kennel = Kennel(client: stubbed(Kennel().client))
    async let dogs = kennel.dogs(named: "a & b")
    while stub.requests.count < 2 {
      clock.advance(by: .milliseconds(100))
      await Task.yield()
    }
    #expect(try await dogs.map(\.breed) == ["Akita"])
    #expect(stub.requests.map(\.head.path) == ["/dogs?name=a%20%26%20b", "/dogs?name=a%20%26%20b"])
  }

  // MARK: 4, repositories

  @Test func `repositories come page by page and none twice`() async {
    let pages = [1...10, 10...12].map { ids in
      let items = ids.map { repository("a/r\($0)", id: $0) }.joined(separator: ",")
      return StubResponse.json("{\"total_count\": 12, \"items\": [\(items)]}")
    }
    stub.stub(.get, "/search/repositories", with: pages[0], pages[1])
    let known = RecentValues<RepositoryName, Repository>()
    let runner = Runner(PagedSearch<Repository>.repositories(at: github, known))
    runner.resume()
    await runner.send(.submit()).finished()
    #expect(runner.state.list.items.map(\.id) == Array(1...10))
    await runner.send(.list(.appeared(10))).finished()
    #expect(runner.state.list.items.map(\.id) == Array(1...12))
    #expect(runner.state.list.status == .ended)
    #expect(RepositoryName(rawValue: "a/r12").flatMap { known[$0] }?.id == 12)
  }

  @Test(
    arguments: [
      ("/repositories/apple/swift", "apple/swift"), ("/repositories/apple", nil),
      ("/repositories/a/..", nil), ("/movies/1/2", nil), ("/repositories/a/b?c", nil),
    ] as [(String, String?)])
  func `an address leads to a repository`(address: String, name: String?) {
    let route = RepositoryRoute(address: address)
    #expect(route?.name.rawValue == name)
    #expect(route.map(\.address) == name.map { _ in address })
  }

  // MARK: 5, movies

  @Test func `movies come page by page, and the key shows nowhere`() async throws {
    stub.stub(
      .get, "/3/movie/top_rated",
      with: .json(
        """
        {"results": [{"id": 1, "title": "A", "overview": "", "poster_path": "/p.jpg", "release_date": "",
          "vote_average": 8.25}], "total_pages": 900}
        """))
    stub.stub(.get, "/3/movie/1", with: .json(#"{"status_message": "gone"}"#, status: .notFound))
    var tmdb = TMDB(key: "s3cret")
    tmdb.client = stubbed(tmdb.client)
    let page = try await tmdb.movies(in: .topRated, page: 499)
    #expect(page.next == .number(500))
    #expect(try await tmdb.movies(in: .topRated, page: 500).next == nil)
    #expect(page.items[0].poster == URL(string: "https://image.tmdb.org/t/p/w342/p.jpg"))
    #expect(stub.requests[0].head.path == "/3/movie/top_rated?page=499&api_key=s3cret")
    do {
      _ = try await tmdb.movie(id: 1)
      Testing.Issue.record("A missing movie is no error.")
    } catch {
      #expect("\(error)".contains("gone"))
      #expect(!"\(error)".contains("s3cret"))
    }
  }
}
