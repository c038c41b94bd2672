import Domain
import Testing
import showcase

/// The headings, messages and JSON of any list.
@Suite(.timeLimit(.minutes(1)))
struct ReportTests {
  let dogs = [Dog(name: "Akita"), Dog(name: "Samoyed")]

  @Test(
    arguments: [
      (1, nil, nil, false, "list: 2 dogs"),
      (1, nil, nil, true, "list: 2 dogs (sandbox data)"),
      (1, 2, nil, true, "list: 2 dogs on page 1 (sandbox data)"),
      (3, nil, nil, false, "list: 2 dogs on page 3"),
      (1, 2, 248, true, "list: 2 of 248 dogs on page 1 (sandbox data)"),
      (1, nil, 2, false, "list: 2 dogs"),
    ] as [(Int, Int?, Int?, Bool, String)])
  func `heading says what the list is`(
    page: Int, next: Int?, total: Int?, isFictitious: Bool, heading: String
  ) async throws {
    let printout = try await Printout(
      Listing(dogs, nextPage: next, total: total), page: page, title: "list",
      isFictitious: isFictitious)
    #expect(printout.lines(within: 80) == [heading, "NAME     FACTS", "Akita", "Samoyed"])
    let piped = printout.lines(within: nil)
    #expect(piped == ["NAME     FACTS", "Akita", "Samoyed"], "a pipe gets none")
  }

  @Test func `heading of all pages names no page`() async throws {
    let printout = try await Printout(.all) { page in
      Listing([Dog(name: "\(page)")], nextPage: page < 3 ? page + 1 : nil, total: 3)
    }
    #expect(printout.lines(within: 80).first == "list: 3 dogs")
    #expect(printout.report.notes == [])
  }

  @Test func `notes tell of what is missing`() async throws {
    let damaged = [DamagedEntry(index: 2, reason: "at name: expected String")]
    let printout = try await Printout(
      Listing(dogs, nextPage: 2, isIncomplete: true, damaged: damaged), title: "list")
    #expect(
      printout.report.notes == [
        "1 entry can’t be shown.",
        "The results are incomplete: the server stopped the search early.",
        "There are more dogs: use --page 2 for the next page, or --all.",
      ])
  }

  @Test func `left out entries of all pages are counted`() async throws {
    let printout = try await Printout(.all) { page in
      Listing(
        [Dog(name: "\(page)")], nextPage: page == 1 ? 2 : nil,
        damaged: [DamagedEntry(index: 0, reason: "r"), DamagedEntry(index: 2, reason: "r")])
    }
    #expect(printout.report.notes == ["4 entries can’t be shown."])
  }

  @Test func `page that repeats itself is a note`() async throws {
    let printout = try await Printout(.all) { page in
      Listing([Dog(name: "Akita")], nextPage: page + 1)
    }
    #expect(
      printout.report.notes == ["Page 2 only repeats earlier entries. The list ends there."])
  }

  @Test func `recording that ends is a note`() async throws {
    let printout = try await Printout(.all) { page in
      guard page < 3 else { throw Replay.MissingPage(page: page) }
      return Listing([Dog(name: "\(page)")], nextPage: page + 1)
    }
    #expect(printout.report.notes == ["The recording has no page 3. The list ends there."])
  }

  @Test func `json of nothing is two brackets`() throws {
    #expect(try [JSONObject]().json == "[]\n")
    #expect(try (["a": "a\u{9B}/\u{1}"] as JSONObject).json.contains("\"a\\u009b/\\u0001\""))
  }

  @Test func `json has null for what is not known`() throws {
    let name = try #require(RepositoryName("apple/swift"))
    #expect(
      try Printout.json(Repository(name: name, stars: 3)).json == """
        {
          "avatar" : null,
          "description" : null,
          "forks" : null,
          "language" : null,
          "licence" : null,
          "link" : null,
          "name" : "apple/swift",
          "openIssues" : null,
          "stars" : 3,
          "topics" : [

          ],
          "watchers" : null
        }

        """)
  }
}
