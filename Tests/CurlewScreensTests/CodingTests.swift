import CurlewScreens
import CurlewTesting
import Foundation
import Testing

/// States that are stored and restored, as by SwiftUI's `SceneStorage`.
@Suite struct CodingTests {
  private struct Row: Codable, Equatable, Identifiable { let id: Int }

  private struct Name: FormDraft, Codable {
    enum Field: String, CaseIterable, Codable { case name }
    var name = ""
    subscript(field: Field) -> String {
      get { name }
      set { name = newValue }
    }
    func problem(in field: Field) -> String? { name.isEmpty ? "Enter a name." : nil }
  }

  private func restored<State: Codable>(_ state: State) throws -> State {
    try JSONDecoder().decode(State.self, from: JSONEncoder().encode(state))
  }

  @Test func `restored content is at rest`() throws {
    let time = Date(timeIntervalSinceReferenceDate: 7)
    let values: [(Loadable<[Int]>, Loadable<[Int]>)] = [
      (.idle, .idle), (.empty, .empty), (.content([1], asOf: time), .content([1], asOf: time)),
      (.loading(last: nil), .idle), (.loading(last: [1]), .content([1])),
      (.failed(.broken, last: nil), .idle),
      (.failed(.broken, last: [1], asOf: time), .content([1], asOf: time)),
    ]
    for (value, expected) in values { #expect(try restored(value) == expected) }
  }

  @Test func `restored search has the results of its text`() throws {
    let pages = PendingResponses<String, [Row]>()
    let probe = ScreenProbe(Search(debounce: .zero) { try await pages.next(for: $0) })
    probe.send(.term("a"))
    probe.settle()
    pages.reply(.success([Row(id: 1)]))
    probe.settle()
    #expect(try restored(probe.state) == probe.state)
    probe.send(.term("ab"))
    probe.settle()
    #expect(probe.state.isLoading)
    let state = try restored(probe.state)
    #expect(state.text == "ab" && state.term == "a" && state.shownTerm == "a")
    #expect(state.results == .content([Row(id: 1)]))
    pages.reply(.success([]))
    probe.settle()
    #expect(try restored(probe.state) == probe.state, "which has no results")
  }

  @Test(arguments: [nil, PageKey.number(2), .cursor("c"), .link("/2")])
  func `restored feed goes on with its next page`(next: PageKey?) throws {
    typealias State = Feed<Row>.State
    let state = State(
      items: [Row(id: 1)], start: next, next: next, total: 3, isPartial: true,
      skippedEntries: ["Row 2."])
    #expect(try restored(state) == state)
    let loading = State(items: state.items, next: next, status: .loading(.refresh))
    #expect(try restored(loading) == State(items: state.items, next: next))
    #expect(try restored(State(status: .loading(.first))) == State())
    #expect(try restored(State(status: .empty)) == State(status: .empty))
  }

  @Test func `restored detail is loaded when it is shown`() throws {
    let values = PendingResponses<Int, String>()
    let detail = Detail<Int, String, String>(known: { "known \($0)" }) {
      try await values.next(for: $0)
    }
    let probe = ScreenProbe(detail)
    probe.send(.show(7))
    #expect(
      try restored(probe.state)
        == Detail<Int, String, String>.State(id: 7, known: "known 7", content: .idle))
    values.reply(.success("whole"))
    probe.settle()
    #expect(try restored(probe.state) == probe.state)
  }

  @Test func `restored form sends its draft with the same key`() throws {
    let server = PendingResponses<String, Int>()
    let form = FormScreen<Name, Int>(Name()) { try await server.next(for: "\($0.name) \($1)") }
    let probe = ScreenProbe(form)
    probe.send(.endedEditing(.name))
    #expect(try restored(probe.state) == probe.state)
    probe.send(.change(.name, "Ann"))
    probe.send(.submit)
    let state = try restored(probe.state)
    #expect(state.submission == .idle && state.draft == probe.state.draft && state.canSubmit)

    var (again, work) = (state, Work<FormScreen<Name, Int>.State>())
    form.handle(.submit, &again, &work)
    #expect(again.submission.isLoading && again.key == probe.state.key)
    server.reply(.success(1))
    probe.settle()
    #expect(try restored(probe.state) == probe.state)
    again = state
    form.handle(.clear, &again, &work)
    #expect(again.draft == Name())
  }
}
