// By the memberwise initializer, so that the compiler asks for each sentence. It is internal: a new sentence breaks no app,
// which begins with one of the shipped values.
extension UserTexts {
  /// English, the default.
  public static let english = UserTexts(
    language: "en", separator: " ",
    timeout: "The server takes too long to respond. Try again in a moment.",
    nameNotResolved: "The server can't be found. Check the internet connection and try again.",
    unreachable: "The server can't be reached. Check the internet connection and try again.",
    connectionRefused: "The server accepts no connections at the moment. Try again in a moment.",
    connectionLost: "The connection to the server was lost. Try again.",
    untrusted: "There is no safe connection to the server: it can't prove that it is genuine, "
      + "or does not accept this app.",
    insecure: "A secure connection to the server is not possible.",
    connectionFailed:
      "Something is wrong with the connection to the server. Try again in a moment.",
    tooManyRequests: "Too many requests.",
    rateLimited: "The server accepts no more requests for now.",
    notWorking: "The server is not working at the moment.",
    serverProblem: "The server has a problem.",
    signIn: "The server asks you to sign in.",
    forbidden: "The server does not allow this.",
    notFound: "This item could not be found.",
    notAccepted: "The server did not accept this request.",
    unreadable: "The server's response could not be read.",
    invalidResponse: "The server's response is invalid.",
    damagedEncoding: "The server's response is damaged.",
    damaged: "The server's response arrived damaged. Try again.",
    tooLarge: "The server's response is too large.",
    webPage: "A web page came instead of data. Does this network want you to sign in?",
    redirect: "The server redirects to an address that can't be opened.",
    notSendable: "This request can't be sent.",
    notStored: "This has not been loaded before, and is not available offline.",
    cancelled: "Cancelled.",
    tooLongToSend: "This is too long to be sent. Shorten it, and try again.",
    otherOrigin: "This page accepts forms only from its own site.",
    unknownAction: "This page does not have this action.",
    fileNotFound: "The file or its folder was not found.",
    fileNotPermitted: "The file can't be opened: access is not allowed.",
    fileExists: "There is already a file with this name.",
    fileNoSpace: "The file can't be saved: there is not enough space.",
    fileInUse: "This file is being downloaded already.",
    fileChanged: "The file changed while it was sent. Try again.",
    fileFailed: "The file can't be read or saved.",
    somethingWrong: "Something went wrong. Try again.",
    tryAgain: { retry in
      switch retry {
      case .inAMoment: "Try again in a moment."
      case .inAWhile: "Try again in a little while."
      case .later: "Try again later."
      case .after(let count, .seconds): "Try again in \(count) second\(count == 1 ? "" : "s")."
      case .after(let count, .minutes): "Try again in \(count) minute\(count == 1 ? "" : "s")."
      case .after(let count, .hours): "Try again in \(count) hour\(count == 1 ? "" : "s")."
      }
    },
    tryingAgain: { "Trying again in \($0) s." },
    failureTitle: "That did not work", tryAgainButton: "Try again", dismissButton: "OK",
    loading: "Loading…", noResults: { "No results for “\($0)”" })
}
