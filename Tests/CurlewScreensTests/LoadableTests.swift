import CurlewScreens
import CurlewTesting
import Foundation
import Testing

@Suite struct LoadableTests {
  struct Spoken: LocalizedError { let errorDescription: String? = "No such thing." }
  struct Dumb: Error {}

  @Test func `last content is kept through loading and failure`() {
    var value = Loadable<[Int]>.idle
    value.startLoading()
    #expect(value == .loading(last: nil))
    value.finishLoading(with: .success([1]))
    #expect(value == .content([1]))
    value.startLoading()
    #expect(value.latest == [1] && value.isLoading)
    value.finishLoading(with: .failure(Spoken()))
    #expect(value.latest == [1] && value.failure?.message == "No such thing.")
    value.startLoading()
    #expect(value == .loading(last: [1]))
  }

  @Test func `empty collection is empty and forgets the last`() {
    var value = Loadable<[Int]>.loading(last: [1])
    value.finishLoading(with: .success([]))
    #expect(value == .empty && value.latest == nil)
  }

  @Test func `single value is never empty`() {
    var value = Loadable<Int>.loading(last: nil)
    value.finishLoading(with: .success(0))
    #expect(value == .content(0))
  }

  @Test func `empty collection is empty in generic code`() {
    func finished<Content>(_ content: Content) -> Loadable<Content> {
      var value = Loadable<Content>.loading(last: nil)
      value.finishLoading(with: .success(content))
      return value
    }
    #expect(finished([Int]()) == .empty)
    #expect(finished([1]) == .content([1]))
    #expect(finished(["a": 1]) == .content(["a": 1]))
    #expect(finished(0) == .content(0))
  }

  @Test func `error without words gets some`() {
    #expect(LoadFailure(Dumb()).message == UserTexts.english.somethingWrong)
  }

  @Test func `error that says when to try again gives its reason without the time`() {
    let failure = LoadFailure(Busy(.seconds(42)))
    #expect(failure.textOnly == LoadFailure(message: "Busy.", retryAfter: .seconds(42)))
    #expect(LoadFailure(Busy(nil)).textOnly == LoadFailure(message: "Busy. Try again later."))
    #expect(failure.textOnly != LoadFailure(message: "Busy."))
  }

  @Test func `error with a time and no reason keeps its words`() {
    struct Late: LocalizedError, RetryAfterError {
      let retryAfter: Duration? = .seconds(1)
      let errorDescription: String? = "Later."
    }
    #expect(LoadFailure(Late()).message == "Later.")
    #expect(LoadFailure(Late()).retryAfter == .seconds(1))
  }
}
