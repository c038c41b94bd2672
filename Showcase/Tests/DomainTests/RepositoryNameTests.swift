import Domain
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RepositoryNameTests {
  @Test(arguments: [
    ("apple/swift", "apple", "swift"),
    ("  apple/swift \n", "apple", "swift"),
    ("a/b", "a", "b"),
    ("ReactiveX/RxSwift", "ReactiveX", "RxSwift"),
    ("octo-cat-/.github", "octo-cat-", ".github"),
    ("0/_.-", "0", "_.-"),
    ("o/...", "o", "..."),
    ("apple/swift.git", "apple", "swift"),
  ])
  func `name is read as owner and name`(text: String, owner: String, name: String) {
    let read = RepositoryName(text)
    #expect(read?.owner == owner)
    #expect(read?.name == name)
    #expect(read?.description == "\(owner)/\(name)")
  }

  @Test(arguments: [
    "https://github.com/apple/swift",
    "http://github.com/apple/swift",
    "HTTPS://GitHub.com/apple/swift",
    "https://www.github.com/apple/swift/",
    "github.com/apple/swift",
    " https://github.com/apple/swift.git ",
    "https://github.com/apple/swift/issues/12?x=1#y",
    "https://github.com/apple/swift?tab=readme",
    "https://github.com/apple/swift#readme",
    "\thttps://github.com/apple/swift/issues\n",
  ])
  func `address of a page on GitHub is read as its repository`(address: String) {
    #expect(RepositoryName(address) == RepositoryName("apple/swift"))
  }

  @Test(arguments: [
    "", " ", "app", "apple/", "/swift", "/", "//", "apple//swift", "apple/swift/issues",
    "apple/.", "apple/..", "../..", "./.", "apple/.git", "-apple/swift", ".apple/swift",
    "apple/swift?state=all", "apple/swift#x", "apple/%2e%2e", "apple/sw ift", "ap ple/swift",
    "apple/swift\u{0}", "apple/swift\nx-evil: 1", "apple\r\n/swift", "apple/swift\u{202E}",
    "apple/swíft", "аpple/swift", "apple/ｓwift", "apple／swift", "apple\\swift",
    "apple/swift\u{301}",
    "https://github.com/", "https://github.com/apple", "https://github.com/apple/",
    "https://example.com/apple/swift", "https://apple/swift", "https://evil.github.com/apple/swift",
    "https://github.com.evil.example/apple/swift", "https://github.com@evil.example/apple/swift",
    "https://github.com/apple/../swift", "ftp://github.com/apple/swift",
    "https://github.com/<script>/swift", "git@github.com:apple/swift.git",
  ])
  func `anything else is no name`(text: String) {
    #expect(RepositoryName(text) == nil)
  }

  @Test func `lengths are those that GitHub allows`() {
    let (owner, name) = (String(repeating: "o", count: 39), String(repeating: "n", count: 100))
    #expect(RepositoryName("\(owner)/\(name)")?.owner == owner)
    #expect(RepositoryName("\(owner)o/\(name)") == nil)
    #expect(RepositoryName("\(owner)/\(name)n") == nil)
    #expect(RepositoryName(String(repeating: "a/", count: 100_000)) == nil)
  }

  @Test func `parts are checked like the text`() {
    #expect(RepositoryName(owner: "apple", name: "swift")?.description == "apple/swift")
    #expect(RepositoryName(owner: "apple", name: "..") == nil)
    #expect(RepositoryName(owner: "apple/swift", name: "issues") == nil)
    #expect(RepositoryName(owner: "", name: "swift") == nil)
  }

  @Test func `a clones ending is no part of a name`() {
    #expect(RepositoryName(owner: "apple", name: "swift.git") == nil)
    #expect(RepositoryName("apple/swift.git.git") == nil)
  }
}
