import Foundation
import Synchronization

/// Checks of a screen, whose mistakes leave no error, only a view that waits.
extension Runner {
  /// Returns what is wrong with work that starts, as debug builds check it; `nil` if nothing is.
  func problem(of job: Job<S.State>) -> String? {
    guard let part = job.id.parts.first, !parts.contains(where: { $0.id.keyPath == part.keyPath })
    else { return nil }
    // Once for all elements of a list.
    let name = PartID(keyPath: part.keyPath, label: part.label)
    return
      "\(S.self) scopes work to \(name), which its `parts` do not declare: the part does not begin, its stateDidChange is not called, and its loads are not tracked."
  }

  /// Returns the loads that are shown as loading, though no work goes on that could end them.
  package var stuckLoads: [WorkID] {
    let (state, names, isStopped) = withStorage { storage in
      (
        storage.state, storage.work.idsInOrder + storage.work.queues.keys, storage.isStopped
      )
    }
    if isStopped { return [] }
    return screen.loads(in: state).filter { load in
      load.isLoading
        && !names.contains { name in
          // Work of the part, of one in it, or of one that contains it. A screen that hands on the loads of its
          // part, such as `ConnectionTracking`, is not in their names.
          var rest = name.parts[...]
          return load.name.parts.starts(with: name.parts)
            || load.name.parts.allSatisfy { part in
              guard let index = rest.firstIndex(of: part) else { return false }
              rest = rest[(index + 1)...]
              return true
            }
        }
    }.map(\.name)
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
