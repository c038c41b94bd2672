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

  /// Returns descriptions of the mistakes in a screen's declared parts.
  static func problems(of parts: [Part<S.State, S.Event>]) -> [String] {
    var (keyPaths, names): (Set<PartID>, Set<String>) = ([], [])
    return parts.compactMap { part in
      let id = PartID(keyPath: part.id.keyPath)
      if !keyPaths.insert(id).inserted {
        return
          "\(S.self) declares \(part.id) twice in its `parts`: its begin and stateDidChange are called twice."
      }
      if !names.insert("\(part.id)").inserted {
        return
          "\(S.self) has two parts with the name \(part.id), which traces and alerts can't tell apart."
      }
      return nil
    }
  }

  /// The loads that are shown as loading, although no work is left that could end them.
  package var stuckLoads: [WorkID] { withStorage { stuckLoads(in: $0) } }

  /// Reports the loads that nothing ends, if a change has ended work; only in debug builds.
  func reportStuckLoads(_ storage: inout RunnerStorage<S.State>) {
    guard !storage.work.effects.entries.isEmpty else { return }
    for name in stuckLoads(in: storage) {
      storage.work.effects.calls.append {
        ScreenErrors.report(
          "\(S.self) shows \(name) as loading, but no work is left that ends it: call finishLoading(with:) in `finished` and cancelLoading() in `cancelled`."
        )
      }
    }
  }

  private func stuckLoads(in storage: RunnerStorage<S.State>) -> [WorkID] {
    if storage.isStopped { return [] }
    let names = storage.work.idsInOrder.filter { !$0.isOwn } + storage.work.queues.keys
    return screen.loads(in: storage.state).filter { load in
      load.isLoading
        && !names.contains { name in
          // Matches work of the load's part, of a nested part, or of an enclosing part. A screen that forwards
          // the loads of its part is not in the loads' names.
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
