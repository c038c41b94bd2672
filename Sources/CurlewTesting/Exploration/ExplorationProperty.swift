import CurlewScreens
import Synchronization

/// A property that holds in each order of a system's steps, such as those of a ``ScreenProbe``.
///
/// ```swift
/// explore(feed, checking: [.requests(atMost: 3), .uniqueRows(\.items)]) { probe in … }
/// ```
public struct ExplorationProperty<System: Explorable>: Sendable {
  /// What a property sees after a step.
  struct Moment {
    let system: System
    let before: System.State
    let after: System.State
    let step: ExplorationStep
    let run: ExplorationRun
  }

  /// Returns the description of a broken promise after a step.
  var problem: @Sendable (Moment) -> String? = { _ in nil }
  /// Checks the system at the end.
  var atRest: @Sendable (System) async throws -> Void = { _ in }
  /// Returns what the property remembers of the order.
  var memory: @Sendable (ExplorationRun) -> Any = { _ in () as Any }

  /// A closure that checks the system with `#expect` after each step.
  public static func always(_ check: @escaping @Sendable (System) -> Void) -> Self {
    Self(problem: { moment in
      check(moment.system)
      return nil
    })
  }

  /// A closure that checks the system with `#expect` when all responses have arrived; it may perform more steps.
  public static func finally(
    _ check: @escaping @Sendable (System) async throws -> Void
  ) -> Self { Self(atRest: check) }

  /// A closure that changes a model of the system by each step, and compares both with `#expect`.
  ///
  /// - Parameters:
  ///   - model: The model at the beginning of each order.
  ///   - check: A closure with the model, the step that was performed, and the system after it.
  public static func model<Value: Sendable>(
    _ model: Value,
    _ check: @escaping @Sendable (inout Value, ExplorationStep, System) -> Void
  ) -> Self {
    let current = Model(model)
    return Self(
      problem: { moment in
        var now = moment.run.step == 1 ? model : current.value.withLock { $0 }
        check(&now, moment.step, moment.system)
        current.value.withLock { [now] in $0 = now }
        return nil
      }, memory: { _ in current.value.withLock { $0 } as Any })
  }

  /// The maximum number of requests in one order.
  public static func requests(atMost limit: Int) -> Self {
    Self(
      problem: { moment in
        let count = moment.run.requests.values.reduce(0, +)
        let names = moment.run.requests.sorted { $0.key < $1.key }.map { "\($1) × \($0)" }
        return count > limit
          ? "\(count) requests instead of at most \(limit): \(names.joined(separator: ", "))" : nil
      }, memory: { $0.requests })
  }

  /// The maximum number of bytes in the bodies of the responses of a ``StubTransport`` in one order.
  public static func bytes(atMost limit: Int) -> Self {
    Self(
      problem: { moment in
        let count = moment.run.bytes
        return count > limit ? "\(count) bytes of responses instead of at most \(limit)" : nil
      }, memory: { $0.bytes })
  }

  /// The ids of a list's rows differ.
  public static func uniqueRows<Rows: Collection & SendableMetatype>(
    _ rows: any KeyPath<System.State, Rows> & Sendable
  ) -> Self
  where Rows.Element: Identifiable & SendableMetatype, Rows.Element.ID: SendableMetatype {
    Self(problem: { moment in
      var ids: Set<Rows.Element.ID> = []
      let row = moment.after[keyPath: rows].first { !ids.insert($0.id).inserted }
      return row.map { "The row \($0.id) is shown twice." }
    })
  }

  /// A value is not changed by a response that fails.
  public static func unchangedAfterFailure<Value: Equatable & SendableMetatype>(
    _ value: any KeyPath<System.State, Value> & Sendable
  ) -> Self {
    Self(problem: { moment in
      let (before, after) = (moment.before[keyPath: value], moment.after[keyPath: value])
      guard case .failure = moment.step.kind, before != after else { return nil }
      let changes = ValueText.differences(before, after).joined(separator: ", ")
      return "A failure changed \(value): \(changes)"
    })
  }
}

private final class Model<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
