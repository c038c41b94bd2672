import CurlewScreens
import Domain
import Synchronization

/// The issues that the user has closed or reopened, updated by the host's later responses.
final class ChangedIssues: Sendable {
  private struct State: Equatable {
    let isOpen: Bool
    /// Identifies a pending write; then the sequence number of the write's end or of the last
    /// applied response's request.
    var number: Int
    var isSettled: Bool
  }

  /// The states of an issue, newest last: at most one settled state, then the states of pending
  /// writes.
  private let issues = Shared<[Issue.Reference: [State]]>([:])
  private let numbers = Atomic(0)

  /// The current and future states of the changed issues.
  var updates: Updates<[Issue.Reference: Bool]> {
    Updates(issues.values, current: { [issues] in issues.value }) { issues in
      issues.compactMapValues { $0.last?.isOpen }
    }
  }

  /// Returns the sequence number for a new request.
  func next() -> Int { numbers.add(1, ordering: .relaxed).newValue }

  /// Returns a change that is shown when it begins, and rolled back if the operation throws.
  func change(
    _ issue: Issue.Reference, isOpen: Bool, begin: @escaping @Sendable () -> Void,
    _ operation: @escaping @Sendable () async throws -> Void
  ) -> HostChange {
    let write = next()
    return HostChange {
      self.issues.update {
        $0[issue, default: []].append(State(isOpen: isOpen, number: write, isSettled: false))
      }
      begin()
    } finish: {
      do {
        try await operation()
        let end = self.next()
        self.update(issue) { states in
          guard let index = states.firstIndex(where: { $0.number == write }) else { return }
          states[index] = State(isOpen: isOpen, number: end, isSettled: true)
          states.removeSubrange(..<index)
        }
      } catch {
        self.update(issue) { $0.removeAll { $0.number == write } }
        throw error
      }
    }
  }

  /// Applies the state of issues from the response to a request with a sequence number.
  func receive(_ found: [Issue], requested number: Int) {
    guard !issues.value.isEmpty else { return }
    for issue in found {
      update(issue.reference) { states in
        guard let first = states.first, first.isSettled, first.number < number else { return }
        states[0] = State(isOpen: issue.isOpen, number: number, isSettled: true)
      }
    }
  }

  private func update(
    _ issue: Issue.Reference, _ change: @escaping @Sendable (inout [State]) -> Void
  ) {
    issues.update { issues in
      guard var states = issues[issue] else { return }
      change(&states)
      issues[issue] = states.isEmpty ? nil : states
    }
  }
}
