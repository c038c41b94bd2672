/// The sentences that the library shows to the users of an app, in one language.
///
/// Each text is created when it is shown, in the language in which the device shows the app: English, or Vietnamese if it
/// is among the app's localizations. For another wording, replace texts once:
///
/// ```swift
/// UserTexts.standard.signIn = "Sign in to see your birds."
/// ```
///
/// For another language, a translator gets the texts as JSON, in which `{count}` and `{term}` stand for what is inserted:
///
/// ```swift
/// let file = try JSONEncoder().encode(UserTexts.english)
/// let polish = try JSONDecoder().decode(UserTexts.self, from: translated)    // throws if a text is missing
/// UserTexts.standard = .preferred(of: [.english, polish], for: Bundle.main.preferredLocalizations)
/// ```
public struct UserTexts: Sendable, Codable, Equatable {
  /// The language, as in BCP 47: `en`, `vi`.
  public var language: String
  /// The separator between two sentences; empty in Chinese and Japanese.
  public var separator: String

  // MARK: The connection

  /// The message when a time limit has expired.
  public var timeout: String
  /// The message when the server's name can't be resolved.
  public var nameNotResolved: String
  /// The message when there is no network, or no route to the server.
  public var unreachable: String
  /// The message when the server refused the connection.
  public var connectionRefused: String
  /// The message when the connection ended before the response was complete.
  public var connectionLost: String
  /// The message when a certificate was rejected: the server's or the app's.
  public var untrusted: String
  /// The message when a secure connection failed for another reason.
  public var insecure: String
  /// The message for any other connection failure.
  public var connectionFailed: String

  // MARK: Errors from the server

  /// The message when the server accepts no more requests for now, without the retry time.
  public var tooManyRequests: String
  /// The message when the app itself sends no more requests for now, without the retry time.
  public var rateLimited: String
  /// The message when the app sends no requests because the server has failed several times in a row,
  /// without the retry time.
  public var notWorking: String
  /// The message when the server has failed, without the retry time.
  public var serverProblem: String
  /// The message when the server requires credentials (401).
  public var signIn: String
  /// The message when the server forbids the request (403).
  public var forbidden: String
  /// The message when the requested resource does not exist (404, 410).
  public var notFound: String
  /// The message when the server refused a request, or a page's action, for another reason.
  public var notAccepted: String

  // MARK: The response

  /// The message when the response is not as expected, and another attempt would not help.
  public var unreadable: String
  /// The message when the response violates the rules of HTTP.
  public var invalidResponse: String
  /// The message when the response's encoding is damaged.
  public var damagedEncoding: String
  /// The message when the response was damaged in transit.
  public var damaged: String
  /// The message when the response exceeds a limit.
  public var tooLarge: String
  /// The message when a web page arrived instead of data, as from a network that requires a sign-in.
  public var webPage: String
  /// The message when a redirect was not followed.
  public var redirect: String

  // MARK: Requests that were not sent

  /// The message when the app made a request that can't be sent.
  public var notSendable: String
  /// The message when too many changes wait to be sent.
  public var tooManyUnsent: String
  /// The message when a change was not sent for too long.
  public var unsentForTooLong: String
  /// The message when a change can't be edited because it is being sent.
  public var alreadySent: String
  /// The message when only a stored response was requested, and none is stored.
  public var notStored: String
  /// The message when the task was cancelled.
  public var cancelled: String

  // MARK: Pages in a browser

  /// The message when the typed text exceeds a limit.
  public var tooLongToSend: String
  /// The message when another site's form was sent to a page.
  public var otherOrigin: String
  /// The message when a form names an action that its page does not have.
  public var unknownAction: String

  // MARK: Files

  /// The message when a file, or its folder, does not exist.
  public var fileNotFound: String
  /// The message when access to a file is not permitted.
  public var fileNotPermitted: String
  /// The message when a file with the name already exists.
  public var fileExists: String
  /// The message when the disk is full.
  public var fileNoSpace: String
  /// The message when another download writes to the file.
  public var fileInUse: String
  /// The message when a file changed while it was being sent.
  public var fileChanged: String
  /// The message for any other file failure.
  public var fileFailed: String

  // MARK: Other errors

  /// The message for an error without a text for users.
  public var somethingWrong: String

  // MARK: When to try again, as a separate sentence

  /// The sentence when the failure may be temporary.
  public var tryAgainInAMoment: String
  /// The sentence when the server requires a pause, but does not state its length.
  public var tryAgainInAWhile: String
  /// The sentence after a pause of more than two days.
  public var tryAgainLater: String
  /// The sentence after a pause of one second.
  public var tryAgainInOneSecond: String
  /// The sentence after a pause of `{count}` seconds.
  public var tryAgainInSeconds: String
  /// The sentence after a pause of one minute.
  public var tryAgainInOneMinute: String
  /// The sentence after a pause of `{count}` minutes.
  public var tryAgainInMinutes: String
  /// The sentence after a pause of one hour.
  public var tryAgainInOneHour: String
  /// The sentence after a pause of `{count}` hours.
  public var tryAgainInHours: String
  /// The sentence while the app waits `{count}` seconds until it retries automatically.
  public var tryingAgain: String

  // MARK: Ready-made views

  /// The title of an alert, and of the placeholder for content that could not be loaded.
  public var failureTitle: String
  /// The title of the button that tries again.
  public var tryAgainButton: String
  /// The title of the button that dismisses an alert.
  public var dismissButton: String
  /// The placeholder for a list without items.
  public var noItems: String
  /// The placeholder for a search, for `{term}`, without results.
  public var noResults: String

  /// The time at which an operation may be retried.
  public enum Retry: Sendable, Hashable {
    /// Soon: the failure may be temporary.
    case inAMoment
    /// After a while: the server requires a pause, but does not state its length.
    case inAWhile
    /// After a time, rounded up.
    case after(Int, Unit)
    /// After more than two days: such a time is a server's mistake, and of no use to a user.
    case later

    /// A unit of a time.
    public enum Unit: Sendable, Hashable { case seconds, minutes, hours }

    /// Creates the retry time after a wait, in a suitable unit; `nil` stands for an unknown wait.
    public init(after wait: Duration?) {
      guard let wait, wait > .zero else {
        self = .inAWhile
        return
      }
      let (whole, fraction) = wait.components
      let seconds = Int(fraction > 0 ? whole + 1 : whole)
      self =
        switch seconds {
        case ..<120: .after(seconds, .seconds)
        case ..<7_200: .after((seconds + 59) / 60, .minutes)
        // Compares the exact wait: 48 hours and a fraction of a second are "later".
        default: wait > .seconds(172_800) ? .later : .after((seconds + 3_599) / 3_600, .hours)
        }
    }
  }

  /// Returns the sentence that states when to try again.
  public func tryAgain(_ retry: Retry) -> String {
    switch retry {
    case .inAMoment: tryAgainInAMoment
    case .inAWhile: tryAgainInAWhile
    case .later: tryAgainLater
    case .after(let count, .seconds): Self.text(count, tryAgainInOneSecond, tryAgainInSeconds)
    case .after(let count, .minutes): Self.text(count, tryAgainInOneMinute, tryAgainInMinutes)
    case .after(let count, .hours): Self.text(count, tryAgainInOneHour, tryAgainInHours)
    }
  }

  private static func text(_ count: Int, _ one: String, _ several: String) -> String {
    count == 1 ? one : several.replacing("{count}", with: "\(count)")
  }

  /// Returns the sentence while the app waits until it retries automatically.
  public func tryingAgain(inSeconds count: Int) -> String {
    tryingAgain.replacing("{count}", with: "\(count)")
  }

  /// Returns the placeholder for a search without results.
  public func noResults(for term: String) -> String { noResults.replacing("{term}", with: term) }

  /// Returns a sentence, followed by a sentence that states when to try again.
  package func text(_ sentence: String, _ retry: Retry) -> String {
    sentence + separator + tryAgain(retry)
  }
}
