import Foundation
import Synchronization

/// Checks for mistakes in a screen that cause no error, only a view that keeps loading.
extension Runner {
  /// Returns a description of a mistake in a job that is about to start; `nil` if there is none.
  ///
  /// Only debug builds call this method.
  func problem(of job: Job<S.State>) -> String? {
    guard let part = job.id.parts.first, !parts.contains(where: { $0.id.keyPath == part.keyPath })
    else { return nil }
    // Without the element's id, so that a list's mistake is reported once.
    let name = PartID(keyPath: part.keyPath, label: part.label)
    return
      "\(S.self) scopes work to \(name), which its `parts` do not declare: the part's begin and stateDidChange are not called, and its loads are not tracked."
  }

  /// The loads that are shown as loading, although no work is left that could end them.
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
          // Matches work of the load's part, of a nested part, or of an enclosing part. A screen that forwards
          // the loads of its part, such as `ConnectionTracking`, is not in the loads' names.
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

/// What a mistake in a screen causes that would never end, such as a `stateDidChange` that always changes the state.
public enum ScreenErrorPolicy: Sendable {
  /// The process stops with a message that names the screen.
  case stopsProcess
  /// The screen is ended: its loads, streams and timers are cancelled, its writes go on, later events do nothing, and
  /// ``Runner/failure`` and the log have the reason.
  case endsScreen

  /// In debug builds ``stopsProcess``; in release builds ``endsScreen``, so that one screen does not end a server.
  public static var `default`: Self {
    #if DEBUG
      .stopsProcess
    #else
      .endsScreen
    #endif
  }
}

/// A mistake in a screen that ended it.
struct ScreenError: Error, CustomStringConvertible {
  let description: String
}

/// Reports mistakes in screens to the standard error, each mistake once.
package enum ScreenErrors {
  private static let reported = Mutex<Set<String>>([])

  /// A handler that is called instead of writing to the standard error; for tests.
  @TaskLocal package static var handler: (@Sendable (String) -> Void)?

  static func report(_ problem: String) {
    if let handler { return handler(problem) }
    guard reported.withLock({ $0.insert(problem).inserted }) else { return }
    FileHandle.standardError.write(Data("CurlewScreens: \(problem)\n".utf8))
  }
}
