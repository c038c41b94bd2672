import CurlewSupport
import Synchronization

/// Records the events of an app's screens, and the values that their work delivers, for a test that repeats them.
///
/// ```swift
/// let recorder = TraceRecorder()
/// let model = ScreenModel(search, observer: recorder.observer())
/// try recorder.trace.write(to: file)      // when something is wrong on the screen
/// ```
///
/// Values become Swift code by reflection, or JSON if they are `Encodable` structures. Properties whose names contain
/// `password`, `secret`, `token` or the like become `***`. Results with a `Sensitive` value, instances of classes, closures
/// and other values without code are left out, and their types are named. Texts that a user types are recorded.
public final class TraceRecorder: Sendable {
  private struct Screen {
    let type: any Any.Type
    var steps: [(time: Duration, occurrence: Occurrence)] = []
    var state: any Sendable
    var isCut = false
  }

  /// What becomes a step; values become code only in a trace.
  private enum Occurrence {
    case event(any Sendable)
    case work(String, WorkStep, UInt64)
    case value(String, any Sendable, UInt64)
    case failure(String, type: String, code: String, UInt64)
    case suspended(Bool)
    case state
  }

  private let limit: Int
  private let screens = Mutex<[Screen]>([])

  /// Creates a recorder without screens.
  ///
  /// - Parameter limit: The maximum number of steps of each screen; later steps are not recorded.
  public init(limit: Int = 10_000) { self.limit = limit }

  /// Returns an observer for a running screen, such as that of a ``ScreenModel``, from its beginning.
  public func observer<S: CurlewScreens.Screen>(
    of screen: S.Type = S.self
  ) -> @Sendable (Duration, RunnerRecord<S>) -> Void {
    let index = screens.withLock { screens in
      screens.append(Screen(type: S.self, state: ()))
      return screens.count - 1
    }
    return { [self] time, record in
      let occurrence: Occurrence
      var state: S.State?
      switch record {
      case .event(let event): occurrence = .event(event)
      case .work(let id, let step, let run): occurrence = .work("\(id)", step, run)
      case .delivered(.success(let value), let id, let run):
        occurrence = .value("\(id)", value, run)
      case .delivered(.failure(let error), let id, let run):
        occurrence = .failure(
          "\(id)", type: ValueText.name(of: type(of: error)), code: Self.code(of: error), run)
      case .suspended(let isSuspended): occurrence = .suspended(isSuspended)
      case .state(let new): (occurrence, state) = (.state, new)
      case .activity: return
      }
      // The earlier state is released outside the lock.
      let earlier = screens.withLock { screens -> (any Sendable)? in
        guard screens[index].steps.count < limit else {
          screens[index].isCut = true
          return nil
        }
        screens[index].steps.append((time, occurrence))
        guard let state else { return nil }
        defer { screens[index].state = state }
        return screens[index].state
      }
      withExtendedLifetime(earlier) {}
    }
  }

  /// The trace of the screens so far; screens without a step are left out.
  public var trace: Trace {
    Trace(
      screens.withLock { $0 }.filter { !$0.steps.isEmpty }.map { screen in
        var modules = Set(ValueText.modules(of: screen.type))
        let steps = screen.steps.map { Self.step($0.occurrence, at: $0.time, &modules) }
        return Trace.Screen(
          name: ValueText.name(of: screen.type), modules: modules.sorted(), steps: steps,
          state: screen.state is () ? [] : ValueText.text(of: screen.state), isCut: screen.isCut)
      })
  }

  private static func step(
    _ occurrence: Occurrence, at time: Duration, _ modules: inout Set<String>
  ) -> Trace.Step {
    func step(
      _ kind: Trace.Step.Kind, code: String? = nil, type: String? = nil, _ work: String? = nil,
      _ run: UInt64? = nil
    ) -> Trace.Step {
      Trace.Step(
        kind: kind, time: time / .milliseconds(1), code: code, type: type, work: work, run: run)
    }
    switch occurrence {
    case .event(let event):
      modules.formUnion(ValueText.modules(of: type(of: event)))
      return step(.event, code: ValueText.code(event, masking: true))
    case .work(let work, .waiting(let delay), _):
      return step(.wait, code: "\(delay / .milliseconds(1))", work)
    case .work(let work, .started, let run): return step(.start, work, run)
    case .work(let work, .finished, let run): return step(.finish, work, run)
    case .work(let work, _, let run): return step(.cancel, work, run)
    case .value(let work, let value, let run):
      let value = plain(value)
      modules.formUnion(ValueText.modules(of: type(of: value)))
      return step(
        .value, code: ValueText.json(value) ?? ValueText.code(value, masking: true),
        type: ValueText.name(of: type(of: value)),
        work, run)
    case .failure(let work, let type, let code, let run):
      return step(.failure, code: code, type: type, work, run)
    case .suspended(let isSuspended): return step(isSuspended ? .suspend : .resume)
    case .state: return step(.state)
    }
  }

  /// Returns the value of a source without the date and the optional that are added to it.
  private static func plain(_ value: Any) -> Any {
    (value as? any AddedValue)?.plain.map { plain($0) } ?? value
  }

  /// Returns the code of an error with the same text for the user.
  private static func code(of error: any Error) -> String {
    if error is CancellationError { return "CancellationError()" }
    let failure = LoadFailure(error)
    let retry = failure.retryAfter.map { ", retryAfter: \(ValueText.code($0))" } ?? ""
    return "TracedError(message: \(ValueText.code(failure.message))\(retry))"
  }
}

private protocol AddedValue {
  var plain: Any? { get }
}

extension Optional: AddedValue {
  fileprivate var plain: Any? { map { $0 as Any } }
}

extension Dated: AddedValue {
  fileprivate var plain: Any? { asOf == nil ? value : nil }
}
