import ArgumentParser
package import Curlew
import CurlewAsyncHTTPClient
package import CurlewRecording
import CurlewTerminal
import Foundation

/// `showcase drift old.har new.har`: the changes in an API's responses.
struct DriftCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drift",
    abstract: "Show how an API's responses changed between two recordings, or since a recording.",
    discussion: """
      Compares recordings (HAR 1.2) endpoint by endpoint, and prints the coding paths that were added \
      or removed, and changes of types and nullability:

        $ showcase drift old.har new.har
        GET api.themoviedb.org/3/movie/now_playing
          results[].overview: sometimes null, was never null
          results[].vote_average: number, was integer

      With --live the recording's GET and HEAD requests for api.github.com, itunes.apple.com and \
      api.themoviedb.org are sent again, one after the other, with GITHUB_TOKEN and TMDB_API_KEY. \
      Other requests are left out, as are those for TMDB without a key. \
      --json also prints the endpoints of only one recording.

      EXIT STATUS
        0   nothing changed
        1   something changed, and was printed
        64  bad usage: an unknown option, or an invalid value
        65  bad data: a malformed recording, or recordings without a common endpoint
        66  a recording does not exist
        69  nothing changed, but some requests got no response
        70  internal error
        74  the output can't be written
      """)

  @Argument(
    help: ArgumentHelp("The recording to compare with.", valueName: "old.har"),
    completion: .file(extensions: ["har"]))
  var old: String

  @Argument(
    help: ArgumentHelp("The newer recording.", valueName: "new.har"),
    completion: .file(extensions: ["har"]))
  var new: String?

  @Flag(help: "Compare with the current responses of the real servers.")
  var live = false

  @Option(
    help: ArgumentHelp(
      "The API key for TMDB; the variable TMDB_API_KEY hides it from the process list.",
      valueName: "key"))
  var tmdbKey: String?

  @OptionGroup
  var verbosity: Verbosity

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if live, new != nil {
      throw ValidationError("--live and a second recording can't be combined.")
    }
    if !live, new == nil { throw ValidationError("Pass a second recording, or --live.") }
    if !live, tmdbKey != nil { throw ValidationError("--tmdb-key requires --live.") }
    if tmdbKey != nil, Sensitive(tmdbKey: tmdbKey) == nil {
      throw ValidationError("--tmdb-key must be a key of visible ASCII characters.")
    }
  }

  func run() async throws {
    let recording = try Backend.recording(at: old)
    guard let new else {
      let clients = try Backend.liveClients(
        tmdbKey: Sensitive(tmdbKey: tmdbKey), observers: verbosity.observers)
      let drift = try await Drift(since: recording, by: clients)
      try await AsyncHTTPClientTransport.shutdownShared()
      return try drift.print(asJSON: output.json)
    }
    let report = DriftReport(from: recording, to: try Backend.recording(at: new))
    try Drift(report: report).print(asJSON: output.json)
  }
}

/// The result of `showcase drift`.
package struct Drift {
  package let report: DriftReport
  /// The errors of requests without a response.
  package var failures: [Client.Error] = []
  /// The number of recorded exchanges whose requests were not sent.
  package var unsent = 0

  /// Messages about the requests that are not in the report, one per line.
  package var notes: [String] {
    let left = unsent == 1 ? "1 recorded request was" : "\(unsent) recorded requests were"
    var told: Set<String> = []
    return failures.map { "\($0)".printable }.filter { told.insert($0).inserted }
      + (unsent == 0
        ? [] : ["\(left) not sent: not GET or HEAD, or for a server that --live does not use."])
  }

  /// Writes the report to standard output, and the messages to standard error.
  ///
  /// - Throws: `ExitCode` 1 if responses changed; ``Failure`` if there is nothing to compare, or if
  ///   requests got no response.
  package func print(asJSON: Bool) throws {
    for note in notes { try StandardStream.error.write(note + "\n") }
    if asJSON {
      try StandardStream.output.write(report.json)
    } else if !report.endpoints.isEmpty {
      let lines = "\(report)".split(separator: "\n").map { String($0).printable + "\n" }
      try StandardStream.output.write(lines.joined())
    }
    guard report.changes.isEmpty else { throw ExitCode(1) }
    if !failures.isEmpty {
      let count = failures.count == 1 ? "1 request" : "\(failures.count) requests"
      throw Failure("\(count) got no response.", status: .unavailable)
    }
    if report.endpoints.isEmpty {
      let reason =
        unsent > 0
        ? "No recorded request could be sent." : "The recordings have no endpoint in common."
      throw Failure(reason, status: .dataError)
    }
  }
}

extension Drift {
  /// Compares a recording with current responses.
  package init(since recording: HAR, by clients: [Client]) async throws {
    var (old, new) = (HAR(), HAR())
    for client in clients {
      let now = try await recording.refetched(using: client)
      old.entries += now.old.entries
      new.entries += now.new.entries
      failures += now.failures
    }
    report = DriftReport(from: old, to: new)
    unsent = recording.entries.count - old.entries.count - failures.count
  }
}
