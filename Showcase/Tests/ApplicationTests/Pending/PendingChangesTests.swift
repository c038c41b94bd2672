import Application
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import ShowcaseTestSupport
import Synchronization
import Testing

/// The changes that a host has not confirmed, on the screens that make them.
@Suite(.timeLimit(.minutes(1)))
struct PendingChangesTests {
  /// A host that stores changes, and whose outcomes are set by a test.
  struct Storing: CodeHost {
    let changes = Shared<[PendingChange]>([])
    let loaded = Shared<[IssueComment]>([])
    let isFull = Shared(false)
    let texts = Shared(IssueTexts(title: "Issue 1", body: "At length", version: "1"))
    let decisions = Shared<[String]>([])
    let issues = PendingResponses<RepositoryName, Listing<Domain.Issue>>()

    func repository(named name: RepositoryName) async throws -> Repository? {
      Repository(name: name)
    }

    func repositories(in language: String, page: Int) async throws -> Listing<Repository> {
      Listing(Repository.samples(1...3))
    }

    func openIssues(of repository: Repository, page: Int) async throws -> Listing<Domain.Issue> {
      Listing([.sample(1, of: repository.name), .sample(2, of: repository.name)])
    }

    func starred() -> Updates<Stars> {
      Updates(changes.values, current: { changes.value }) { changes in
        Stars(
          Set(
            changes.compactMap { change in
              if case .star(let name, true) = change.content { name.id } else { nil }
            }))
      }
    }

    func star(_ name: RepositoryName, isOn: Bool) -> HostChange { add(.star(name, isOn: isOn)) }

    func comments(on issue: Domain.Issue.Reference) -> Updates<IssueComments> {
      Updates(loaded.values, current: { loaded.value }) { IssueComments($0) }
    }

    func comment(_ text: String, on issue: Domain.Issue.Reference) -> HostChange {
      add(
        .comment(
          IssueComment(id: -1, author: "ada", text: text, createdAt: .distantPast), on: issue))
    }

    func texts(of issue: Domain.Issue.Reference) -> Updates<IssueTexts?> {
      Updates(texts.values, current: { texts.value }) { $0 }
    }

    func edit(_ edit: IssueEdit) -> HostChange {
      if let id = edit.replaced { changes.update { $0.removeAll { $0.id == id } } }
      return add(.edit(edit))
    }

    func pendingChanges() -> Updates<[PendingChange]> {
      Updates(changes.values, current: { changes.value }) { $0 }
    }

    func decide(
      _ decision: PendingChange.Decision, on change: PendingChange.ID
    ) -> HostChange {
      HostChange {
        decisions.update { $0.append(decision.rawValue) }
        if decision != .send { changes.update { $0.removeAll { $0.id == change } } }
      } finish: {
      }
    }

    func sendPendingChanges() -> HostChange {
      HostChange {
        decisions.update { $0.append("send now") }
      } finish: {
      }
    }

    /// Changes the state of the newest change.
    func set(_ state: PendingChange.State) {
      changes.update { changes in
        guard let last = changes.popLast() else { return }
        changes.append(PendingChange(id: last.id, content: last.content, state: state))
      }
    }

    private func add(_ content: PendingChange.Content) -> HostChange {
      HostChange {
        guard !isFull.value else { return }
        changes.update {
          $0.append(PendingChange(id: UUID(), content: content, state: .waitingForNetwork))
        }
      } finish: {
        if isFull.value { throw Broke() }
      }
    }
  }

  private let host = Storing()
  private let name: RepositoryName

  init() throws { name = try #require(RepositoryName("owner/n1")) }

  private func picked(_ number: Int = 1) -> ScreenProbe<IssueTracker> {
    let probe = ScreenProbe(IssueTracker(TrackIssues(host: host)))
    probe.send(.search(.term("owner/n1")))
    probe.send(.search(.submit()))
    probe.settle()
    probe.send(.pick(number))
    probe.settle()
    return probe
  }

  @Test func `a star shows with its state on every screen`() throws {
    let (list, detail) = (
      ScreenProbe(Repositories(host: host)), ScreenProbe(RepositoryDetail(host: host))
    )
    list.send(.stars(.star(name, isOn: true)))
    #expect(list.state.pending.text(ofStar: name) == "Waiting for the network")
    #expect(list.state.pending.summary == "1 change is not sent yet")
    detail.resume()
    detail.settle()
    #expect(detail.state.pending.text(ofStar: name) == "Waiting for the network")
    #expect(detail.state.stars.starred == [name.id])
    let other = try #require(RepositoryName("owner/n2"))
    #expect(detail.state.pending.text(ofStar: other) == nil)
    host.set(.refused("No."))
    list.settle()
    let change = try #require(list.state.pending.all?.first)
    #expect(change.stateText == "Refused" && change.explanation == "No.")
    #expect(change.decisions.map { change.title(of: $0) } == ["Try again", "Dismiss"])
    list.send(.pending(.decide(.drop, on: change.id)))
    #expect(list.state.pending.all == [] && list.state.pending.summary == nil)
  }

  @Test func `an unknown change asks, and is sent now on request`() throws {
    let probe = ScreenProbe(RepositoryDetail(host: host))
    probe.send(.stars(.star(name, isOn: true)))
    host.set(.unknown)
    probe.settle()
    let change = try #require(probe.state.pending.all?.first)
    #expect(
      change.decisions.map { change.title(of: $0) } == ["Send again", "It has arrived", "Discard"])
    probe.send(.pending(.decide(.send, on: change.id)))
    probe.send(.pending(.sendNow))
    probe.send(.pending(.decide(.done, on: change.id)))
    #expect(host.decisions.value == ["send", "send now", "done"])
    #expect(probe.state.pending.all == [])
  }

  @Test func `a comment shows before its host has it`() throws {
    let probe = picked()
    #expect(probe.state.canComment && probe.state.comments == [])
    probe.send(.discussion(.text(" Me too. ")))
    #expect(probe.state.discussion.text == " Me too. ")
    probe.send(.discussion(.send()))
    #expect(probe.state.discussion.text == "")
    let comment = try #require(probe.state.comments?.first)
    #expect(comment.text == "Me too.")
    #expect(probe.state.pending.text(of: comment) == "Waiting for the network")
    let issue = try #require(probe.state.picked?.reference)
    #expect(probe.state.pending.text(of: issue) == "Waiting for the network")
    // The host's list contains it before the outbox is told.
    host.loaded.update { $0 = [comment] }
    probe.settle()
    #expect(probe.state.comments == [comment])
    host.loaded.update { $0 = [] }
    host.set(.refused("No."))
    probe.settle()
    #expect(probe.state.comments == [], "a refused comment is only among the changes")
    #expect(probe.state.pending.all?.first?.text == "Me too.")
    probe.send(.pick(2))
    probe.settle()
    #expect(probe.state.comments == [] && probe.state.discussion.issue?.number == 2)
  }

  @Test func `a comment that can't be stored can be tried again`() throws {
    let probe = picked()
    host.isFull.update { $0 = true }
    probe.send(.discussion(.send("Me too.")))
    probe.settle()
    #expect(probe.state.comments == [])
    let alert = try #require(probe.activity.alerts.first)
    #expect(alert.failure.textOnly == .broke)
    host.isFull.update { $0 = false }
    probe.retry(alert.id)
    #expect(probe.state.comments?.map(\.text) == ["Me too."])
  }

  @Test func `an empty comment is not sent`() {
    let probe = picked()
    probe.send(.discussion(.send(" \n")))
    #expect(host.changes.value == [])
  }

  @Test func `an edit shows in the list, and replaces the one that waits`() throws {
    let probe = picked()
    probe.send(.discussion(.edit))
    probe.send(.discussion(.title("Ink")))
    #expect(probe.state.picked?.title == "Issue 1", "it is not saved yet")
    probe.send(.discussion(.save()))
    #expect(probe.state.discussion.edit == nil)
    #expect(probe.state.issues.map(\.title) == ["Ink", "Issue 2"])
    #expect(probe.state.picked?.title == "Ink" && probe.state.picked?.body == "At length")
    let first = try #require(host.changes.value.first)
    probe.send(.discussion(.edit))
    #expect(probe.state.discussion.edit?.replaced == first.id)
    probe.send(.discussion(.body("Black.")))
    probe.send(.discussion(.save()))
    guard case .edit(let edit)? = host.changes.value.first?.content else {
      Testing.Issue.record("no edit")
      return
    }
    #expect(host.changes.value.count == 1)
    #expect(edit.base == host.texts.value, "as the host has it")
    #expect(edit.texts.title == "Ink" && edit.texts.body == "Black.")
    host.set(.refused("No."))
    probe.settle()
    #expect(probe.state.picked?.title == "Issue 1")
  }

  @Test func `a conflict shows all texts, and the edit goes on from theirs`() throws {
    let probe = picked()
    probe.send(.discussion(.edit))
    probe.send(.discussion(.title("Ink")))
    probe.send(.discussion(.save()))
    let theirs = IssueTexts(title: "Paper", body: "At length", version: "2")
    host.set(.conflict(theirs: theirs))
    probe.settle()
    let change = try #require(probe.state.pending.all?.first)
    #expect(change.conflict?.map(\.texts.title) == ["Ink", "Paper", "Issue 1"])
    #expect(change.decisions.map { change.title(of: $0) } == ["Keep mine", "Take theirs"])
    #expect(probe.state.picked?.title == "Ink")
    probe.send(.discussion(.edit))
    let edit = try #require(probe.state.discussion.edit)
    #expect(edit.base == theirs && edit.replaced == change.id && edit.texts.title == "Ink")
  }

  @Test func `an edit without a title or a change is not sent`() {
    let probe = picked()
    probe.send(.discussion(.edit))
    probe.send(.discussion(.save()))
    probe.send(.discussion(.edit))
    probe.send(.discussion(.title(" ")))
    probe.send(.discussion(.save()))
    #expect(probe.state.discussion.edit != nil, "the form is still there")
    probe.send(.discussion(.cancel))
    #expect(host.changes.value == [] && probe.state.discussion.edit == nil)
  }

  @Test func `without a user nothing is pending`() {
    let probe = ScreenProbe(IssueTracker(TrackIssues(host: HeldCodeHost())))
    #expect(!probe.state.canComment && probe.state.comments == nil)
    #expect(probe.state.pending.summary == nil)
  }
}
