import ArgumentParser
import Curlew
import CurlewTerminal
import Foundation
import HTTPTypes

/// `showcase cache`: the stored responses, and the reasons why the cache would use them or not.
struct CacheCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Show or clear the cache of responses.",
    subcommands: [List.self, Why.self, Clear.self], defaultSubcommand: List.self)

  /// `showcase cache list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the stored responses, the most recently used first.",
      discussion: """
        FRESH is the time for which a response is served without a request to the server. A stale \
        response is validated first, but still used when the server can't be reached. Secrets in \
        addresses are replaced by fingerprints.

        \(jsonKeys)
        """)

    @OptionGroup var output: OutputOptions

    func run() async throws {
      let items = try await CacheFolder.responses().contents()
      if output.json { try StandardStream.output.write(items.map(CacheCommand.json).json) }
      guard !items.isEmpty else { throw Failure("The cache is empty.", status: .nothingFound) }
      guard !output.json else { return }
      let lines = Self.columns.table(of: items, on: output.terminal)
      try StandardStream.output.write(lines.map { $0 + "\n" }.joined())
    }

    private static var columns: [Column<ResponseCache.Item>] {
      [
        .number("STATUS") { "\($0.response.head.status.code)" },
        .number("SIZE") { $0.response.bodySize.bytes },
        .number("AGE") { $0.age.asTime },
        .number("FRESH") { $0.timeToLive > 0 ? $0.timeToLive.asTime : "stale" },
        Column.word("ACCOUNT") { $0.key.account ?? "–" }.faint,
        .text("ADDRESS", least: 20) { $0.key.url },
      ]
    }
  }

  /// `showcase cache why URL`.
  struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "why",
      abstract: "Explain what the cache would do with a request for an address.",
      discussion: """
        Pass an address from 'showcase cache list', or an address with its secrets.

        \(jsonKeys)
        """)

    @Argument(help: ArgumentHelp("The address.", valueName: "url"))
    var url: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
      let items = try await CacheFolder.responses().contents(at: url)
      if output.json { try StandardStream.output.write(items.map(CacheCommand.json).json) }
      guard !items.isEmpty else {
        throw Failure(
          "No response is stored for this address: a request would be sent. "
            + "'showcase cache list' shows the stored responses.", status: .nothingFound)
      }
      for (index, item) in items.enumerated() where !output.json {
        try StandardStream.output.write((index > 0 ? "\n" : "") + CacheCommand.text(of: item))
      }
    }
  }

  /// `showcase cache clear`.
  struct Clear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear", abstract: "Remove all stored responses.",
      discussion: "--json prints an object whose key removed has their number.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
      let cache = try CacheFolder.responses()
      let count = await cache.contents().count
      await cache.removeAll()
      try StandardStream.output.write(
        output.json
          ? (["removed": count] as JSONObject).json
          : "\(count) response\(count == 1 ? "" : "s") removed.\n")
    }
  }

  private static let jsonKeys = """
    --json prints an array of objects with the keys account (null without a sign-in), age, \
    isHit (whether the response would be used without a request), reason, size (bytes), status, \
    timeToLive (negative if the response is stale) and url; age and timeToLive are in seconds.
    """

  /// Returns a stored response for scripts.
  private static func json(_ item: ResponseCache.Item) -> JSONObject {
    [
      "account": item.key.account, "age": item.age, "isHit": item.status.isHit,
      "reason": item.status.reason, "size": item.response.bodySize,
      "status": item.response.head.status.code, "timeToLive": item.timeToLive,
      "url": item.key.url,
    ]
  }

  /// Returns the properties of a stored response, one per line.
  private static func text(of item: ResponseCache.Item) -> String {
    let fields = item.response.head.headerFields
    let rows: KeyValuePairs<String, String> = [
      "Address": item.key.url, "Account": item.key.account ?? "",
      "Status": "\(item.response.head.status.code)", "Size": item.response.bodySize.bytes,
      "Age": item.age.asTime,
      "Fresh": item.timeToLive > 0
        ? "for \(item.timeToLive.asTime)" : "stale since \((-item.timeToLive).asTime)",
      "Rules": fields[.cacheControl] ?? "",
      "Validators": [fields[.eTag], fields[.lastModified]].compactMap(\.self).joined(
        separator: ", "),
      "Depends on": fields[.vary] ?? "",
      "Decision": item.status.isHit ? "served from the cache" : "sent to the server",
      "Why": item.status.reason,
    ]
    return rows.filter { !$0.value.isEmpty }.map { name, value in
      name.padded(to: 12) + value.printable + "\n"
    }.joined()
  }
}

extension Int {
  /// The number of seconds in its largest unit, such as `40 s`, `3 min`, `2 h`, `5 d`.
  fileprivate var asTime: String {
    switch self {
    case ..<120: "\(self) s"
    case ..<7_200: "\(self / 60) min"
    case ..<172_800: "\(self / 3_600) h"
    default: "\(self / 86_400) d"
    }
  }
}
