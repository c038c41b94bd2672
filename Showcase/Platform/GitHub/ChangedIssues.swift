import CurlewScreens
import Domain
import Synchronization

/// The issues that the user has closed or reopened, each until the host lists it in a response that was requested later.
final class ChangedIssues: Sendable {
  private struct Change: Equatable {
    let isOpen: Bool
    /// The number of the write's end among all requests; `nil` while it runs.
    var settled: Int?
  }

  private let changes = Shared<[Issue.Reference: Change]>([:])
  private let requests = Atomic(0)

  /// What was changed, now and later.
  var updates: Updates<[Issue.Reference: Bool]> {
    Updates(changes.values, current: { [changes] in changes.value.mapValues(\.isOpen) }) {
      $0.mapValues(\.isOpen)
    }
  }

  /// Changes an issue at once, and takes that back if the operation throws.
  func change(
    _ issue: Issue.Reference, isOpen: Bool, while operation: () async throws -> Void
  ) async throws {
    _ = try await changes.edit {
      $0[issue] = Change(isOpen: isOpen)
    } settled: { changes, number in
      changes[issue] = Change(isOpen: isOpen, settled: number)
    } while: {
      try await operation()
      return requestNumber()
    }
  }

  /// Returns the number of a request that begins now.
  func requestNumber() -> Int { requests.add(1, ordering: .relaxed).newValue }

  /// Takes over what the host lists as open in the response to a request.
  func receive(_ open: [Issue], requested number: Int) {
    guard !changes.value.isEmpty else { return }
    changes.update { changes in
      for issue in open {
        guard let settled = changes[issue.reference]?.settled, settled < number else { continue }
        changes[issue.reference] = nil
      }
    }
  }
}
