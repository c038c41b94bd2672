import CurlewScreens
import Foundation

/// Changes a shared value stored in a file, until it is killed: `shared-process FILE`.
@main
struct SharedProcess {
  static func main() async {
    let file = URL(filePath: CommandLine.arguments.last ?? "")
    let draft = Shared(Draft(number: 0), file: file) { error in
      print("problem: \(error)")
      fflush(nil)
    }
    let first = draft.value.number
    while true {
      draft.update { $0 = Draft(number: $0.number + 1) }
      // Sometimes only the newest value is saved, sometimes each value.
      if Bool.random() { await draft.saved() }
      if draft.value.number == first + 3 {
        await draft.saved()  // the reader expects at least this number
        print("(ready)")
        fflush(nil)
      }
    }
  }
}

/// A long text that must contain its number everywhere.
package struct Draft: Codable, Equatable, Sendable {
  package let number: Int
  package let text: String

  package init(number: Int) {
    self.number = number
    text = String(repeating: "\(number) ", count: 20_000)
  }

  package var isWhole: Bool { self == Draft(number: number) }
}
