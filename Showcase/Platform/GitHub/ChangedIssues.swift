import CurlewScreens
import Domain
import Synchronization

/// The issues that the user has closed or reopened, and what the host has said of them since.
final class ChangedIssues: Sendable {
  private struct State: Equatable {
    let isOpen: Bool
    /// Tells a write apart while it runs; then its number, or that of the host's later response, among all requests.
    var number: Int
    var isSettled: Bool
  }

  /// The states of an issue, the newest last: one that is settled, and those of the writes that run.
  private let issues = Shared<[Issue.Reference: [State]]>([:])
  private let numbers = Atomic(0)

  /// What was changed, now and later.
  var updates: Updates<[Issue.Reference: Bool]> {
    Updates(issues.values, current: { [issues] in issues.value }) { issues in
      issues.compactMapValues { $0.last?.isOpen }
    }
  }

  /// Returns the number of a request that begins now.
  func next() -> Int { numbers.add(1, ordering: .relaxed).newValue }

  /// Returns a change that shows when it begins, and is taken back if the operation throws.
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

  /// Takes over what the host says of issues in the response to a request.
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
