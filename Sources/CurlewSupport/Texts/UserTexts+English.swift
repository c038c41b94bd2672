// Uses the memberwise initializer, so that the compiler requires each sentence. The initializer is internal, so a new
// sentence breaks no app: apps begin with one of the shipped values.
extension UserTexts {
  /// English, the default.
  public static let english = UserTexts(
    language: "en", separator: " ",
    timeout: "The server took too long to respond. Try again in a moment.",
    nameNotResolved: "The server can't be found. Check the internet connection and try again.",
    unreachable: "The server can't be reached. Check the internet connection and try again.",
    connectionRefused: "The server is not accepting connections. Try again in a moment.",
    connectionLost: "The connection to the server was lost. Try again.",
    untrusted: "A secure connection could not be established: the server's identity can't be "
      + "verified, or the server does not accept this app.",
    insecure: "A secure connection to the server could not be established.",
    connectionFailed: "The connection to the server failed. Try again in a moment.",
    tooManyRequests: "Too many requests.",
    rateLimited: "The request limit has been reached.",
    notWorking: "The server is currently unavailable.",
    serverProblem: "A server error occurred.",
    signIn: "Sign in to continue.",
    forbidden: "You don't have permission to do this.",
    notFound: "This item could not be found.",
    notAccepted: "The server did not accept this request.",
    unreadable: "The server's response could not be read.",
    invalidResponse: "The server's response is invalid.",
    damagedEncoding: "The server's response is damaged.",
    damaged: "The server's response arrived damaged. Try again.",
    tooLarge: "The server's response is too large.",
    webPage: "A web page was received instead of data. This network may require you to sign in.",
    redirect: "The server redirects to an address that can't be opened.",
    notSendable: "This request can't be sent.",
    notStored: "This content has not been loaded before and is not available offline.",
    cancelled: "Cancelled.",
    tooLongToSend: "The text is too long to send. Shorten it and try again.",
    otherOrigin: "This page accepts forms only from its own site.",
    unknownAction: "This page does not support this action.",
    fileNotFound: "The file or its folder was not found.",
    fileNotPermitted: "The file can't be opened: access is not allowed.",
    fileExists: "A file with this name already exists.",
    fileNoSpace: "The file can't be saved: there is not enough space.",
    fileInUse: "This file is already being downloaded.",
    fileChanged: "The file changed while it was being sent. Try again.",
    fileFailed: "The file can't be read or saved.",
    somethingWrong: "Something went wrong. Try again.",
    tryAgain: { retry in
      switch retry {
      case .inAMoment: "Try again in a moment."
      case .inAWhile: "Try again in a few minutes."
      case .later: "Try again later."
      case .after(let count, .seconds): "Try again in \(count) second\(count == 1 ? "" : "s")."
      case .after(let count, .minutes): "Try again in \(count) minute\(count == 1 ? "" : "s")."
      case .after(let count, .hours): "Try again in \(count) hour\(count == 1 ? "" : "s")."
      }
    },
    tryingAgain: { "Trying again in \($0) s." },
    failureTitle: "That did not work", tryAgainButton: "Try again", dismissButton: "OK",
    loading: "Loading…", noItems: "Nothing here yet.", noResults: { "No results for “\($0)”" })
}
