import Application
import Foundation
import Testing

/// The screens show the age of the servers' responses.
@Suite(.timeLimit(.minutes(1)))
struct AgeTests {
  let then = Date(timeIntervalSince1970: 1_800_000_000)

  @Test(
    arguments: [
      (-3_600.0, nil), (0, nil), (59, nil), (60, "1 minute ago"), (180, "3 minutes ago"),
      (7_200, "2 hours ago"), (86_400, "1 day ago"),
    ] as [(TimeInterval, String?)])
  func `age is said from a minute on`(seconds: TimeInterval, text: String?) {
    #expect(then.age(at: then.addingTimeInterval(seconds)) == text)
  }
}
