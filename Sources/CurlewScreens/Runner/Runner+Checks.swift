import Foundation
import Synchronization

/// Checks of a screen that debug builds make: its mistakes leave no error, only a view that waits.
extension Runner {
  /// Returns what is wrong with the declared parts; `nil` if nothing is.
  var problemOfParts: String? {
    let labels = parts.map { "\($0.id)" }
    let repeated = Set(labels.filter { label in labels.count { $0 == label } > 1 })
    return repeated.isEmpty
      ? nil
      : "\(S.self) has several parts that are called \(repeated.sorted().joined(separator: ", ")): name them apart with `named:`."
  }

  /// Returns what is wrong with work that starts; `nil` if nothing is.
  func problem(of job: Job<S.State>) -> String? {
    let path = job.id.parts
    guard !path.isEmpty, !parts.contains(where: { $0.declares(path) }) else { return nil }
    // Once for all elements of a list.
    let part = path.map { PartID(keyPath: $0.keyPath, label: $0.label).description }
    return
      "\(S.self) scopes work to \(part.joined(separator: ".")), which its `parts` do not declare: the part does not begin, its stateDidChange is not called, and its loads are not tracked."
  }

  /// Returns the loads that are shown as loading, though no work goes on that could end them.
  package var stuckLoads: [WorkID] {
    let (state, names, isStopped) = withStorage { storage in
      (
        storage.state, Array(storage.work.slots.keys) + Array(storage.work.queues.keys),
        storage.isStopped
      )
    }
    if isStopped { return [] }
    return screen.loads(in: state).filter { load in
      load.isLoading
        && !names.contains { name in
          // Work of the part, of one in it, or of one that contains it.
          name.parts.starts(with: load.name.parts) || load.name.parts.starts(with: name.parts)
        }
    }.map(\.name)
  }

  /// Reports the loads that nothing will end.
  func checkLoads() {
    guard !isWorking else { return }
    for name in stuckLoads {
      ScreenErrors.report(
        "\(S.self) shows \(name) as loading, but no work goes on that could end it: end it in `cancelled:`, or when you reset its state."
      )
    }
  }
}

/// Reports mistakes in screens to the standard error, each once.
package enum ScreenErrors {
  private static let reported = Mutex<Set<String>>([])

  /// Called instead of writing to the standard error; for tests.
  @TaskLocal package static var handler: (@Sendable (String) -> Void)?

  static func report(_ problem: String) {
    if let handler { return handler(problem) }
    guard reported.withLock({ $0.insert(problem).inserted }) else { return }
    FileHandle.standardError.write(Data("CurlewScreens: \(problem)\n".utf8))
  }
}
