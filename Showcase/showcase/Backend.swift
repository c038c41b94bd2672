import Curlew
import CurlewAsyncHTTPClient
import Domain
import Foundation
import HTTPTypes
import Platform
import Sandbox

/// Everything below the commands, put together: the one place that knows every layer.
struct Backend {
  /// What answers, as the start-up line says it.
  let summary: String
  /// The use case of all that is shown.
  let trackIssues: TrackIssues
  private let sandbox: Sandbox?

  /// Runs a part of a command on a backend, and stops the backend after it.
  static func run<Value>(
    _ source: Source, environment: [String: String] = ProcessInfo.processInfo.environment,
    _ body: (Backend) async throws -> Value
  ) async throws -> Value {
    let backend = try await Backend(source, environment: environment)
    do {
      let value = try await body(backend)
      await backend.stop()
      return value
    } catch {
      await backend.stop()
      throw error
    }
  }

  private init(_ source: Source, environment: [String: String]) async throws {
    switch source {
    case .sandbox(let options):
      let sandbox = try await Self.sandbox(options)
      self.sandbox = sandbox
      summary = "the sandbox (no network needed)"
      trackIssues = try TrackIssues(on: BaseURL(sandbox.baseURL), .asyncHTTPClient)
    case .live:
      let token = try Self.token(in: environment)
      sandbox = nil
      summary = "api.github.com" + (token == nil ? " (GITHUB_TOKEN is not set)" : "")
      trackIssues = TrackIssues(on: "https://api.github.com", .asyncHTTPClient, token: token)
    case .replay(let path):
      sandbox = nil
      summary = "the recording \(path)"
      trackIssues = TrackIssues(
        on: "https://api.github.com", .har(try Self.recording(at: path), mode: .lenient))
    }
  }

  private func stop() async {
    // The client goes first: its idle connections would hold the sandbox up.
    try? await AsyncHTTPClientTransport.shutdownShared()
    await sandbox?.stop()
  }

  private static func sandbox(_ options: Sandbox.Options) async throws(Failure) -> Sandbox {
    do {
      return try await Sandbox.start(options)
    } catch {
      throw Failure("\(error)", status: .unavailable)
    }
  }

  private static func recording(at path: String) throws(Failure) -> HAR {
    do {
      return try HAR(contentsOf: URL(filePath: path))
    } catch {
      var isDirectory: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      let isReadable =
        isThere && !isDirectory.boolValue
        && FileManager.default.isReadableFile(atPath: path)
      throw Failure("\(error)", status: isReadable ? .dataError : .noInput)
    }
  }

  /// The token; `nil` when it is not set or empty.
  private static func token(in environment: [String: String]) throws(Failure) -> String? {
    let token = environment["GITHUB_TOKEN"]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure("GITHUB_TOKEN holds something that is not a token.", status: .usage)
    }
    return token.isEmpty ? nil : token
  }
}

extension TrackIssues {
  /// Tracks the issues of GitHub, or of what looks like it.
  fileprivate init(on baseURL: BaseURL, _ transport: some Transport, token: String? = nil) {
    let client = Client(baseURL: baseURL) {
      $0.transport = transport
      $0.jsonDecoder = .github
      $0.headerFields = [
        .accept: "application/vnd.github+json", .userAgent: "curlew-showcase/\(Showcase.version)",
        .gitHubVersion: "2022-11-28",
      ]
      if let token { $0.middleware = [.bearer(token)] }
    }
    self.init(host: GitHubHost(client: client))
  }
}

extension HTTPField.Name {
  /// The version of the API whose answers the payloads describe.
  fileprivate static let gitHubVersion = HTTPField.Name("X-GitHub-Api-Version")!
}
