import Foundation
import Testing

/// The parsers of Foundation and the system: any of them may have defects that end the process.
struct ParserTests {
  private static let package = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// The names of parsers; a regular expression's literal is found by the function that it is passed to.
  private static let names = [
    #"JSONSerialization\.jsonObject"#, #"\bJSONDecoder\(\)"#, #"super\.decode\("#, #"PropertyList"#,
    #"XMLParser|XMLDocument"#, #"NSAttributedString"#, #"\bScanner\("#,
    #"NSRegularExpression|\bRegex[(<]"#,
    #"(Match|matches|contains|replacing|ranges|split|trimmingPrefix)\((of|separator)?:? ?#?/"#,
    #"ISO8601|DateFormatter|FormatStyle|ParseStrategy|strptime|NumberFormatter"#,
    #"\bURL\(string:|URLComponents\("#, #"\bDecimal\(string:"#, #"base64Encoded:"#,
    #"String\((data|bytes|contentsOf|contentsOfFile):"#, #"CharacterSet\(charactersIn"#,
    #"removingPercentEncoding"#, #"\b(Locale|TimeZone|NSPredicate)\("#, #"NSKeyedUnarchiver"#,
    #"inet_pton|getaddrinfo|strto[a-z]+\("#, #"NIOSSL(Certificate|PrivateKey)\(bytes"#,
    #"SecCertificateCreate|SecPKCS12"#, #"CCurlewZlib\.inflate\("#, #"Database(Pool|Queue)\("#,
    #"MustacheTemplate\("#, #"redisReaderGetReply\("#,
  ]

  /// The source files that use a parser, by their paths in the repository.
  private static func users() throws -> Set<String> {
    let parser = try Regex(names.joined(separator: "|"))
    let sources = package.appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    return try Set(
      files.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
        .filter { file in
          let code = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
          return code.split(separator: "\n").contains { line in
            let code = line.drop { $0 == " " }
            return !code.hasPrefix("//") && code.contains(parser)
          }
        }.map { "Sources/\($0)" })
  }

  @Test func `SECURITY lists each parser of Foundation and the system`() throws {
    let page = try String(contentsOf: Self.package.appending(path: "SECURITY.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "### Parsers of the system\n").last)
    let table = section.components(separatedBy: "\n#").first ?? ""
    let listed = Set(table.matches(of: /\]\((Sources\/[^)]*)\)/).map { String($0.1) })
    let users = try Self.users()
    #expect(users.subtracting(listed) == [], "not in SECURITY.md")
    #expect(listed.subtracting(users) == [], "in SECURITY.md, but without a parser")
    // Otherwise the search may find nothing at all.
    #expect(users.count > 20)
  }
}
