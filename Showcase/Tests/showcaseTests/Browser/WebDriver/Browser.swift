import Curlew
import Foundation
import HTTPTypes
import Synchronization

/// A session with a browser (W3C WebDriver 2).
final class Browser: Sendable {
  /// The options for starting a browser.
  struct Options: Hashable, Sendable {
    var hasJavaScript = true
    /// Whether Chromium records network events, for ``NetworkLog``.
    var logsNetwork = false

    /// Whether pages move, such as the first visit's search on the home page.
    var hasMotion = false

    /// Options without JavaScript.
    static let plain = Self(hasJavaScript: false)
  }

  /// The size of a window, in CSS pixels.
  static let size = (width: 1280, height: 900)

  /// An error of the protocol, such as `no such element`.
  struct Failure: Error, CustomStringConvertible {
    let kind: String
    let description: String
  }

  let options: Options
  private let client: Client
  private let session: String
  private let isAltered = Atomic<Bool>(false)

  /// Starts a browser.
  init(_ options: Options = Options(), on client: Client) async throws {
    struct Session: Decodable {
      let sessionId: String
    }
    self.options = options
    self.client = client
    let request = Request<Session>(
      .post, "/session", body: .json(Capabilities(options)), decoding: .value)
    session = try await client.send(request).sessionId
  }

  /// Ends the browser.
  func close() async throws {
    try await send(.delete, "/session/\(session)")
  }

  /// Sends a command of this session, and returns its value.
  func send<Value: Decodable & Sendable>(
    _ method: HTTPRequest.Method, _ path: Path, _ body: RequestBody = .none
  ) async throws -> Value {
    do {
      return try await client.send(Request(method, path, body: body, decoding: .value))
    } catch {
      throw Failure(error) ?? error
    }
  }

  /// Sends a command, and discards its value.
  func send(
    _ method: HTTPRequest.Method, _ path: Path, _ body: RequestBody = .none
  ) async throws {
    let _: Ignored = try await send(method, path, body)
  }

  /// Records that a window was altered beyond its page.
  func noteAlteration() { isAltered.store(true, ordering: .relaxed) }

  /// Returns whether a window was altered since the last call.
  func takeAlteration() -> Bool { isAltered.exchange(false, ordering: .relaxed) }

  /// Returns the path of a command.
  func path(_ command: String) -> Path { "/session/\(session)/\(raw: command)" }
}

extension Browser.Failure {
  fileprivate init?(_ error: Client.Error) {
    struct Value: Decodable {
      let error: String
      let message: String
    }
    guard case .status(let failure) = error,
      let response = try? JSONDecoder().decode(Envelope<Value>.self, from: failure.body)
    else { return nil }
    kind = response.value.error
    let message = response.value.message.prefix { $0 != "\n" }
    description = "\(response.value.error): \(message) (\(failure))"
  }
}

extension ResponseDecoding where Value: Decodable {
  /// Decodes the `value` member, which every response of the protocol contains.
  fileprivate static var value: Self {
    Self { data, _, decoder in try decoder.decode(Envelope<Value>.self, from: data).value }
  }
}

private struct Envelope<Value: Decodable>: Decodable {
  let value: Value
}

/// Any value, including null.
private struct Ignored: Decodable {
  init(from decoder: any Decoder) {}
}

/// The capabilities for a new session (W3C WebDriver section 7, and Chromium's options).
private struct Capabilities: Encodable {
  struct Wanted: Encodable {
    let options: ChromeOptions
    let logs: [String: String]
    /// Proxies of the tests have certificates of their own.
    let acceptInsecureCerts = true
    /// In milliseconds; a script may wait for the page.
    var timeouts = ["script": 600_000, "pageLoad": 600_000]

    enum CodingKeys: String, CodingKey {
      case timeouts, acceptInsecureCerts
      case options = "goog:chromeOptions"
      case logs = "goog:loggingPrefs"
    }
  }

  struct ChromeOptions: Encodable {
    let args: [String]
    let prefs: [String: Int]
  }

  let capabilities: [String: Wanted]

  init(_ options: Browser.Options) {
    let motion = options.hasMotion ? [] : ["--force-prefers-reduced-motion"]
    let arguments =
      motion + [
        "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--window-size=\(Browser.size.width),\(Browser.size.height)",
        // The browser opens only pages of these tests, and Chromium's sandbox doesn't run as root.
        "--no-sandbox",
      ]
    let blocked = ["profile.managed_default_content_settings.javascript": 2]
    let logs = options.logsNetwork ? ["browser": "ALL", "performance": "ALL"] : ["browser": "ALL"]
    let wanted = Wanted(
      options: ChromeOptions(args: arguments, prefs: options.hasJavaScript ? [:] : blocked),
      logs: logs)
    capabilities = ["alwaysMatch": wanted]
  }
}
