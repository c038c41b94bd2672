import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The sentences for users, in each language.
@Suite(.timeLimit(.minutes(1)))
struct UserTextsTests {
  /// Returns the texts as a translator gets them.
  private func exported(_ texts: UserTexts) throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: JSONEncoder().encode(texts))
  }

  @Test func `each included language has every text, with the inserted parts of the English text`()
    throws
  {
    let english = try exported(.english)
    #expect(english.count > 50 && UserTexts.included[0] == .english)
    for texts in UserTexts.included.dropFirst() {
      let others = try exported(texts)
      #expect(others.keys.sorted() == english.keys.sorted())
      for (name, text) in others {
        #expect(!text.isEmpty)
        let isSame = ["separator", "dismissButton"].contains(name)
        #expect((text == english[name]) == isSame, "\(name): \(text)")
        for part in ["{count}", "{term}"] {
          #expect(text.contains(part) == english[name]?.contains(part), "\(name): \(text)")
        }
      }
    }
  }

  @Test func `a translated file is read, and a missing text is an error that names it`() throws {
    var file = try exported(.english)
    file["tryAgainInSeconds"] = "Spróbuj za {count} s."
    let polish = try JSONDecoder().decode(UserTexts.self, from: JSONEncoder().encode(file))
    #expect(polish.tryAgain(.after(5, .seconds)) == "Spróbuj za 5 s.")
    file["signIn"] = nil
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(UserTexts.self, from: JSONEncoder().encode(file))
    }
    guard case .keyNotFound(let key, _)? = error else { throw CancellationError() }
    #expect(key.stringValue == "signIn")
  }

  @Test func `when to try again is in both languages`() {
    let waits: [(Duration?, String, String)] = [
      (nil, "Try again in a few minutes.", "Vui lòng thử lại sau ít phút."),
      (.seconds(1), "Try again in 1 second.", "Vui lòng thử lại sau 1 giây."),
      (.milliseconds(41_200), "Try again in 42 seconds.", "Vui lòng thử lại sau 42 giây."),
      (.seconds(125), "Try again in 3 minutes.", "Vui lòng thử lại sau 3 phút."),
      (.seconds(7_200), "Try again in 2 hours.", "Vui lòng thử lại sau 2 giờ."),
      (.seconds(900_000), "Try again later.", "Vui lòng thử lại sau."),
    ]
    for (wait, english, vietnamese) in waits {
      let retry = UserTexts.Retry(after: wait)
      #expect(UserTexts.english.tryAgain(retry) == english)
      #expect(UserTexts.vietnamese.tryAgain(retry) == vietnamese)
    }
    #expect(UserTexts.vietnamese.tryAgain(.inAMoment) == "Vui lòng thử lại sau giây lát.")
    #expect(UserTexts.vietnamese.tryingAgain(inSeconds: 7) == "Tự động thử lại sau 7 giây.")
  }

  private func error(_ response: StubResponse) async throws -> Client.Error {
    let stub = StubTransport()
    stub.stub(.get, "/x", with: response)
    guard
      case .failure(let error) = await Client.stubbed(by: stub).result(of: Request<Int>.get("/x"))
    else { throw CancellationError() }
    return error
  }

  @Test func `an error has its text in the language that is asked for`() async throws {
    let error = try await error(.status(.tooManyRequests, [.retryAfter: "42"]))
    #expect(error.text(in: .english) == "Too many requests. Try again in 42 seconds.")
    let text = "Quá nhiều yêu cầu. Vui lòng thử lại sau 42 giây."
    #expect(error.text(in: .vietnamese) == text)
    #expect(UserTexts.vietnamese.show { error.localizedDescription } == text)
    #expect(UserTexts.vietnamese.show { error.failureReason } == "Quá nhiều yêu cầu.")
    #expect(error.localizedDescription.hasPrefix("Too many requests."))
  }

  @Test func `an app replaces words`() async throws {
    var texts = UserTexts.english
    texts.signIn = "Sign in to see your birds."
    let error = try await error(.status(.unauthorized))
    #expect(error.text(in: texts) == "Sign in to see your birds.")
    #expect(try await self.error(.status(.notFound)).text(in: texts) == texts.notFound)
  }

  @Test func `the first language that is wanted and there is chosen`() {
    let texts: [UserTexts] = [.english, .vietnamese]
    func language(_ wanted: String...) -> String {
      UserTexts.preferred(of: texts, for: wanted).language
    }
    #expect(language("vi-VN", "en") == "vi")
    #expect(language("fr-FR", "VI") == "vi")
    #expect(language("fr") == "en" && language() == "en")
    #expect(UserTexts.preferred(of: [], for: ["vi"]).language == "en")
  }
}
