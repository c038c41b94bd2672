import Foundation
import Synchronization

extension Runner {
  /// The loads that are shown as loading, although no work is left that could end them.
  package var stuckLoads: [WorkID] { withStorage { stuckLoads(in: $0) } }

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

#if DEBUG
  /// Checks for mistakes in a screen that cause no error.
  extension Runner {
    /// Returns a description of a mistake in a job that is about to start; `nil` if there is none.
    func problem(of job: Job<S.State>) -> String? {
      guard let part = job.id.parts.first, !parts.contains(where: { $0.id.keyPath == part.keyPath })
      else { return nil }
      // Without the element's id, so that a list's mistake is reported once.
      let name = PartID(keyPath: part.keyPath, label: part.label)
      return
        "\(S.self) scopes work to \(name), which its `parts` do not declare: the part's begin and stateDidChange are not called, and its loads are not tracked. Add it to `parts`."
    }

    /// Returns descriptions of the mistakes in a screen's declared parts.
    static func problems(of parts: [Part<S.State, S.Event>]) -> [String] {
      var (keyPaths, names): (Set<PartID>, Set<String>) = ([], [])
      return parts.compactMap { part in
        let id = PartID(keyPath: part.id.keyPath)
        if !keyPaths.insert(id).inserted {
          return
            "\(S.self) declares \(part.id) twice in its `parts`: its begin and stateDidChange are called twice. Declare it once."
        }
        if !names.insert("\(part.id)").inserted {
          return
            "\(S.self) has two parts with the name \(part.id), which traces and alerts can't tell apart. Give one another name with `named:`."
        }
        return nil
      }
    }

    /// Reports mistakes in the work that an event or a result adds.
    func reportMistakes(in work: Work<S.State>, since before: S.State, _ now: S.State) {
      var kinds: [WorkID: String] = [:]
      for command in work.commands {
        if case .cancel(let id) = command { kinds[id] = nil }
        guard case .start(let started) = command else { continue }
        let job = Job<S.State>.of(started)
        if let problem = misplacement(of: job, in: work, since: before, now) {
          ScreenErrors.report(problem)
        }
        guard job.kind != .write, job.kind != .timer, job.delay <= .zero, job.condition(now) else {
          continue
        }
        let kind = job.kind == .load ? "load" : "stream"
        if let other = kinds.updateValue(kind, forKey: job.id), other != kind {
          ScreenErrors.report(
            "\(S.self) starts a \(other) and a \(kind) with the name \(job.id) in one change: the \(kind) cancels the \(other). Give each a name of its own."
          )
        }
      }
    }

    /// Returns a description of the mistake that a job's scope and the state that its part has changed belong to
    /// different parts; `nil` if that is not certain.
    ///
    /// It is certain if the event changed the state of another part, in which it added no work, and the conditions of
    /// the job hold for that state instead of its own. A job without conditions may belong to any state.
    private func misplacement(
      of job: Job<S.State>, in work: Work<S.State>, since before: S.State, _ now: S.State
    ) -> String? {
      func fulfilled(_ part: PartID) -> Int? {
        now[keyPath: part.keyPath as AnyKeyPath].flatMap { job.fulfilled?($0) }
      }
      func hasChanged(_ part: PartID) -> Bool {
        func differs<Value: Equatable>(_ old: Value, _ now: Any?) -> Bool { now as? Value != old }
        let old = before[keyPath: part.keyPath as AnyKeyPath] as? any Equatable
        return old.map { differs($0, now[keyPath: part.keyPath as AnyKeyPath]) } ?? false
      }
      guard let own = job.id.parts.first, let count = fulfilled(own), !hasChanged(own) else {
        return nil
      }
      let names = work.started + work.cancelled
      let other = parts.first { part in
        !names.contains { $0.parts.first?.keyPath == part.id.keyPath }
          && fulfilled(part.id) ?? 0 > count && hasChanged(part.id)
      }
      return other.map {
        "\(S.self) starts \(job.id) with the state of \($0.id): in the scope of \(own), pass the state of \(own), `&state.\(own)`, to `handle`."
      }
    }

    /// Reports mistakes that show when a change has begun or ended work.
    func reportMistakes(hasChanged: Bool, _ storage: inout RunnerStorage<S.State>) {
      let (begun, ended) = (storage.beginning, storage.work.effects.entries)
      storage.beginning = []
      let version = stateChanges.version + (hasChanged ? 1 : 0)
      for entry in begun { storage.versions[entry.number] = version }
      for entry in ended { storage.versions[entry.number] = nil }
      var problems = begun.compactMap { problem(of: $0, storage.state) }
      if !ended.isEmpty {
        problems += stuckLoads(in: storage).map {
          "\(S.self) shows \($0) as loading, but no work is left that ends it: call finishLoading(with:) in `finished` and cancelLoading() in `cancelled`."
        }
        var names: Set<WorkID> = []
        problems += screen.loads(in: storage.state).filter { !names.insert($0.name).inserted }.map {
          "\(S.self) returns several loads with the name \($0.name) from `loads(in:)`, which alerts and retries can't tell apart. Give each a name of its own."
        }
      }
      for problem in problems { storage.work.effects.calls.append { ScreenErrors.report(problem) } }
    }

    /// Returns a description of the mistake that a load is in no status; `nil` if it may be in one.
    private func problem(of entry: Entry, _ state: S.State) -> String? {
      func isNamedOnly(_ id: PartID?) -> Bool {
        parts.contains { $0.id.keyPath == id?.keyPath && $0.loads == nil }
      }
      guard entry.job.kind == .load, let part = entry.id.parts.first, isNamedOnly(part),
        screen.loads(in: state).allSatisfy({ load in
          load.name.parts.first.map { !isNamedOnly($0) } ?? false
        })
      else { return nil }
      return
        "\(S.self) declares \(part) only by its name, so its loads, such as \(entry.id), are in no status. Declare it with a screen, `Part(\\.\(part), screen)`, or add its loads to `loads(in:)`."
    }

    /// Changes the state with a value or a result, and reports a result that content ignores because it never started
    /// loading.
    ///
    /// If the state has changed since the work began, the content may have been reset.
    func reportIgnoredResult(
      of entry: Entry, _ storage: inout RunnerStorage<S.State>, _ change: (inout S.State) -> Void
    ) {
      let hasChanged = storage.versions[entry.number] != stateChanges.version
      let isIgnored = ScreenErrors.Flag()
      ScreenErrors.$ignoredResult.withValue(isIgnored) { change(&storage.state) }
      guard !hasChanged, isIgnored.isSet else { return }
      let problem =
        "\(S.self) ignores the result of \(entry.id): finishLoading(with:) does nothing while content is idle. Call startLoading() in `started`."
      storage.work.effects.calls.append { ScreenErrors.report(problem) }
    }

    /// Reports a stream or a timer that ends only because its model is released, although no view has run the model.
    ///
    /// A load is not reported: it ends by itself.
    func reportUnsuspendedWork() {
      let name = withStorage { storage in
        storage.isStopped
          ? nil
          : storage.work.idsInOrder.first { id in
            !id.isOwn
              && [storage.work.running[id], storage.work.waiting[id]].contains {
                $0?.entry.job.kind.counts == false
              }
          }
      }
      guard let name else { return }
      ScreenErrors.report(
        "\(S.self) was released while its \(name) was running, and nothing had called run() of its model. Call it in the view's `.task { await model.run() }`, or with `.running(model)`, so that its work is suspended when the view disappears."
      )
    }
  }
#endif

/// What a mistake in a screen causes that would never end, such as a `stateDidChange` that always changes the state.
public enum ScreenErrorPolicy: Sendable {
  /// The process stops with a message that names the screen.
  case stopsProcess
  /// The screen is ended: its loads, streams and timers are cancelled, its writes go on, later events do nothing, and
  /// ``Runner/failure`` and the log have the reason.
  case endsScreen

  /// In debug builds ``stopsProcess``; in release builds ``endsScreen``, so that one screen does not end a server.
  case `default`

  func stop(_ problem: String) {
    #if DEBUG
      let stops = self != .endsScreen
    #else
      let stops = self == .stopsProcess
    #endif
    if stops { fatalError(problem) }
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

  /// A flag that content sets when it ignores a result.
  @TaskLocal static var ignoredResult: Flag?

  final class Flag: Sendable {
    private let state = Atomic(false)
    var isSet: Bool { state.load(ordering: .relaxed) }
    func set() { state.store(true, ordering: .relaxed) }
  }

  static func report(_ problem: String) {
    if let handler { return handler(problem) }
    guard reported.withLock({ $0.insert(problem).inserted }) else { return }
    FileHandle.standardError.write(Data("CurlewScreens: \(problem)\n".utf8))
  }
}
