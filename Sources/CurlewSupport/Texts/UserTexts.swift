/// The sentences that the library shows to the users of an app, in one language.
///
/// Each is made when it is shown. English is the default; Vietnamese comes with the library. An app sets its
/// language once, or gives it where it shows a text:
///
/// ```swift
/// UserTexts.standard = .preferred(of: [.english, .vietnamese], for: Bundle.main.preferredLocalizations)
/// label.text = error.text(in: .vietnamese)
/// ```
///
/// Another language, or other words, begin with one of these values, and replace what differs:
///
/// ```swift
/// var texts = UserTexts.english
/// texts.signIn = "Sign in to see your birds."
/// ```
public struct UserTexts: Sendable {
  /// The language, as in BCP 47: `en`, `vi`.
  public var language: String
  /// What stands between two sentences; empty in Chinese and Japanese.
  public var separator: String

  // MARK: The connection

  /// A time limit passed.
  public var timeout: String
  /// The server's name has no address.
  public var nameNotResolved: String
  /// There is no network, or no way to the server.
  public var unreachable: String
  /// The server refused the connection.
  public var connectionRefused: String
  /// The connection ended before the response was complete.
  public var connectionLost: String
  /// A certificate was rejected: the server's or the app's.
  public var untrusted: String
  /// There is no secure connection, for another reason.
  public var insecure: String
  /// Another failure of the connection.
  public var connectionFailed: String

  // MARK: What the server said

  /// The server allows no more requests for now; without when to try again.
  public var tooManyRequests: String
  /// The app itself sends no more requests for now; without when to try again.
  public var rateLimited: String
  /// The app sends nothing, because the server has failed several times in a row; without when to try again.
  public var notWorking: String
  /// The server has failed; without when to try again.
  public var serverProblem: String
  /// The server asks for credentials (401).
  public var signIn: String
  /// The server forbids it (403).
  public var forbidden: String
  /// What was asked for does not exist (404, 410).
  public var notFound: String
  /// The server refused a request, or a page's action, for another reason.
  public var notAccepted: String

  // MARK: The response

  /// The response is not as it should be, and another attempt would not help.
  public var unreadable: String
  /// The response breaks the rules of HTTP.
  public var invalidResponse: String
  /// The response's encoding is damaged.
  public var damagedEncoding: String
  /// The response was damaged on its way.
  public var damaged: String
  /// The response exceeds a limit.
  public var tooLarge: String
  /// A web page came instead of data, as from a network that asks for a sign-in.
  public var webPage: String
  /// A redirect was not followed.
  public var redirect: String

  // MARK: What was not sent

  /// The app made a request that can't be sent.
  public var notSendable: String
  /// Only what is stored was asked for, and nothing is.
  public var notStored: String
  /// The task was cancelled.
  public var cancelled: String

  // MARK: Pages in a browser

  /// What was typed exceeds a limit.
  public var tooLongToSend: String
  /// Another site's form was sent to a page.
  public var otherOrigin: String
  /// A form names an action that its page does not have.
  public var unknownAction: String

  // MARK: Files

  /// A file, or its folder, does not exist.
  public var fileNotFound: String
  /// A file may not be opened.
  public var fileNotPermitted: String
  /// A file with the name exists.
  public var fileExists: String
  /// The disk is full.
  public var fileNoSpace: String
  /// Another download writes to the file.
  public var fileInUse: String
  /// A file changed while it was sent.
  public var fileChanged: String
  /// Another failure of a file.
  public var fileFailed: String

  // MARK: Anything else

  /// An error that has no text for users.
  public var somethingWrong: String
  /// When to try again, as a sentence of its own.
  public var tryAgain: @Sendable (Retry) -> String
  /// In how many seconds the app tries again by itself, as a sentence of its own.
  public var tryingAgain: @Sendable (Int) -> String

  // MARK: Ready-made views

  /// The title of an alert, and what stands in place of content that could not be loaded.
  public var failureTitle: String
  /// The button that tries again.
  public var tryAgainButton: String
  /// The button that dismisses an alert.
  public var dismissButton: String
  /// What stands in place of content that loads.
  public var loading: String
  /// What stands in place of the results of a search for a term when there are none.
  public var noResults: @Sendable (String) -> String

  /// When something may be tried again.
  public enum Retry: Sendable, Hashable {
    /// Soon: what failed may have passed.
    case inAMoment
    /// Not at once: the server wants to be left alone, and does not say for how long.
    case inAWhile
    /// After a time, rounded up.
    case after(Int, Unit)
    /// After more than two days, which is a server's mistake, and of no use to a user.
    case later

    /// A unit of a time.
    public enum Unit: Sendable, Hashable { case seconds, minutes, hours }

    /// Returns when to try again after a wait, in a unit that suits it; `nil` for one that is not known.
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
        // As now: 48 hours and a fraction of a second are "later".
        default: wait > .seconds(172_800) ? .later : .after((seconds + 3_599) / 3_600, .hours)
        }
    }
  }

  /// Returns a sentence, and when to try again.
  package func text(_ sentence: String, _ retry: Retry) -> String {
    sentence + separator + tryAgain(retry)
  }
}
