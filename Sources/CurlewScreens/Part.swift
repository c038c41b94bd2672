/// A declaration of a part of a screen that is a screen itself.
///
/// ```swift
/// struct Trip: Screen {
///   var parts: [Part<State, Event>] {
///     [Part(\.from, search, event: Event.from), Part(\.to, search, event: Event.to)]
///   }
/// }
/// ```
///
/// The runner calls the ``Screen/stateDidChange(_:_:)`` of a declared part when its state has
/// changed, before its parent's, and its ``Screen/begin(_:_:)`` when it appears. The parent's loads
/// include those of its parts.
public struct Part<State, Event>: Sendable {
  let id: PartID
  /// Calls the part's `stateDidChange` if its state has changed; returns whether it has.
  let follow: @Sendable (_ before: State?, _ state: inout State, _ work: inout Work<State>) -> Bool
  /// Begins the part as far as it is present.
  let begin: @Sendable (_ state: inout State, _ work: inout Work<State>) -> Void
  /// Returns the part's loads, with their names and events in the parent.
  let loads: @Sendable (State) -> [LoadStatus<Event>]
  /// Returns whether a path, whose first element belongs to this part, is that of declared parts.
  fileprivate let declaresInside: @Sendable (ArraySlice<PartID>) -> Bool

  /// Declares a part that can't be removed.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of its state.
  ///   - screen: The part.
  ///   - label: Its name in traces; the property's name by default.
  ///   - event: A closure that wraps an event of the part in one of its parent, for automatic
  ///     retries.
  public init<Child: Screen>(
    _ keyPath: any WritableKeyPath<State, Child.State> & Sendable, _ screen: Child,
    named label: String? = nil, event: (@Sendable (Child.Event) -> Event)? = nil
  ) {
    let lens = Lens(keyPath, named: label)
    id = lens.id
    follow = { before, state, work in
      let old = before?[keyPath: keyPath]
      guard old != state[keyPath: keyPath] else { return false }
      lens.update(&state, &work) { screen.follow(from: old, &$0, &$1) }
      return true
    }
    begin = { state, work in lens.update(&state, &work, screen.beginAll) }
    loads = { screen.loads(in: $0[keyPath: keyPath], of: lens.id, as: event) }
    declaresInside = screen.declares
  }

  /// Declares a part that only has names of work of its own: a value that is no screen, or one whose
  /// screen is made anew for each event.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of its state.
  ///   - label: Its name in traces; the property's name by default.
  public init<Value>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, named label: String? = nil
  ) {
    self.init(
      id: PartID(keyPath: keyPath, label: label), follow: { _, _, _ in false },
      begin: { _, _ in }, loads: { _ in [] }, declaresInside: { _ in true })
  }

  /// Declares a part that may be presented, such as a sheet.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of its state, which is `nil` while it is not presented.
  ///   - screen: The part.
  ///   - label: Its name in traces; the property's name by default.
  ///   - event: A closure that wraps an event of the part in one of its parent, for automatic
  ///     retries.
  public init<Child: Screen>(
    presented keyPath: any WritableKeyPath<State, Child.State?> & Sendable, _ screen: Child,
    named label: String? = nil, event: (@Sendable (Child.Event) -> Event)? = nil
  ) {
    id = PartID(keyPath: keyPath, label: label)
    follow = { before, state, work in
      guard let lens = Lens(presented: keyPath, in: state, named: label) else { return false }
      let hasMoved = work.moves.contains { $0.to == [lens.id] }
      let old = hasMoved ? before?[keyPath: keyPath] : before.flatMap(lens.get)
      guard old != lens.get(state) else { return false }
      let appears = before != nil && old == nil
      lens.update(&state, &work) { state, work in
        if appears { screen.beginAll(&state, &work) }
        screen.follow(from: old, &state, &work)
      }
      return true
    }
    begin = { state, work in
      Lens(presented: keyPath, in: state, named: label)?.update(&state, &work, screen.beginAll)
    }
    loads = { state in
      guard let lens = Lens(presented: keyPath, in: state, named: label),
        let present = lens.get(state)
      else { return [] }
      return screen.loads(in: present, of: lens.id, as: event)
    }
    declaresInside = screen.declares
  }

  /// Declares the elements of a list as parts, identified by their ids.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the list of their states.
  ///   - screen: The screen that each of them is.
  ///   - label: Their name in traces; the property's name by default.
  ///   - event: A closure that wraps an event of the part with an id in one of its parent, for
  ///     automatic retries.
  @inlinable
  public init<Child: Screen, List>(
    each keyPath: any WritableKeyPath<State, List> & Sendable, _ screen: Child,
    named label: String? = nil,
    event: (@Sendable (List.Element.ID, Child.Event) -> Event)? = nil
  )
  where
    List: MutableCollection & RandomAccessCollection & Equatable & Sendable,
    List.Element == Child.State,
    List.Element: Identifiable, List.Element.ID: Sendable
  {
    self.init(
      each: keyPath, screen, ListIDs(), changes: { $0.changes(from: $1) }, named: label,
      event: event)
  }

  @usableFromInline
  init<Child: Screen, List>(
    each keyPath: any WritableKeyPath<State, List> & Sendable, _ screen: Child,
    _ ids: ListIDs<List>,
    changes: @escaping @Sendable (_ now: List, _ old: List) -> [Int],
    named label: String?,
    event: (@Sendable (List.Element.ID, Child.Event) -> Event)?
  )
  where
    List: MutableCollection & RandomAccessCollection & Equatable & Sendable,
    List.Element == Child.State,
    List.Element: Identifiable, List.Element.ID: Sendable
  {
    id = PartID(keyPath: keyPath, label: label)
    follow = { before, state, work in
      let (old, now) = (before?[keyPath: keyPath], state[keyPath: keyPath])
      let changed = old.map { changes(now, $0) } ?? Array(0..<now.count)
      guard !changed.isEmpty else { return old.map { $0.count != now.count } ?? false }
      lazy var byID = Dictionary((old.map { Array($0) } ?? []).map { ($0.id, $0) }) { first, _ in
        first
      }
      for offset in changed {
        let element = now[offset: offset]
        // Most elements are where they were.
        let same = old.flatMap { offset < $0.count ? $0[offset: offset] : nil }
        var former = same?.id == element.id ? same : byID[element.id]
        // An element that has only moved has not changed.
        if former == element { continue }
        let lens = Lens<State, Child.State>(
          each: keyPath, id: element.id, in: state, near: offset, ids, named: label)
        if former == nil { former = lens.flatMap { old?.former($0.id, work.moves) } }
        let (appears, last) = (before != nil && former == nil, former)
        lens?.update(&state, &work) { state, work in
          if appears { screen.beginAll(&state, &work) }
          screen.follow(from: last, &state, &work)
        }
      }
      return true
    }
    begin = { state, work in
      for (offset, element) in state[keyPath: keyPath].enumerated() {
        Lens(each: keyPath, id: element.id, in: state, near: offset, ids, named: label)?
          .update(&state, &work, screen.beginAll)
      }
    }
    loads = { state in
      state[keyPath: keyPath].flatMap { element in
        let id = PartID(keyPath: keyPath, element: ElementID(element.id), label: label)
        return screen.loads(in: element, of: id) { event?(element.id, $0) }
      }
    }
    declaresInside = screen.declares
  }
}

extension Part {
  /// Returns the part for a screen that has the same state as the one that declared it, and wraps its
  /// events: `var parts: [Part<State, Event>] { search.parts.map { $0.wrapping(Event.search) } }`.
  public func wrapping<Outer>(
    _ event: @escaping @Sendable (Event) -> Outer
  ) -> Part<State, Outer> {
    Part<State, Outer>(
      id: id, follow: follow, begin: begin,
      loads: { [loads] in loads($0).map { $0.wrapping(event) } }, declaresInside: declaresInside)
  }

  fileprivate init(
    id: PartID,
    follow: @escaping @Sendable (State?, inout State, inout Work<State>) -> Bool,
    begin: @escaping @Sendable (inout State, inout Work<State>) -> Void,
    loads: @escaping @Sendable (State) -> [LoadStatus<Event>],
    declaresInside: @escaping @Sendable (ArraySlice<PartID>) -> Bool
  ) {
    (self.id, self.follow, self.begin) = (id, follow, begin)
    (self.loads, self.declaresInside) = (loads, declaresInside)
  }

  /// Returns whether a path of parts begins with this one and goes on with declared ones.
  func declares(_ path: some Collection<PartID>) -> Bool {
    guard let first = path.first, first.keyPath == id.keyPath else { return false }
    return declaresInside(ArraySlice(path.dropFirst()))
  }
}

extension Screen {
  /// Calls `stateDidChange` of the parts that have changed, then of the screen itself.
  func follow(from before: State?, _ state: inout State, _ work: inout Work<State>) {
    for part in parts { _ = part.follow(before, &state, &work) }
    stateDidChange(&state, &work)
  }

  /// Returns whether a path is that of declared parts; the empty one is the screen itself.
  @Sendable fileprivate func declares(_ path: ArraySlice<PartID>) -> Bool {
    path.isEmpty || parts.contains { $0.declares(path) }
  }

  /// Begins the parts that are present, then the screen itself.
  func beginAll(_ state: inout State, _ work: inout Work<State>) {
    for part in parts { part.begin(&state, &work) }
    begin(&state, &work)
  }

  /// Returns the loads of the screen as those of a part of another one.
  fileprivate func loads<Outer>(
    in state: State, of part: PartID, as event: ((Event) -> Outer?)?
  ) -> [LoadStatus<Outer>] {
    loads(in: state).map { load in
      LoadStatus(
        name: load.name.inside(part), isLoading: load.isLoading, failure: load.failure,
        isSuperseded: load.isSuperseded, retry: load.retry.flatMap { event?($0) })
    }
  }
}

extension RandomAccessCollection where Element: Identifiable & Equatable {
  /// Returns the element that has the id of a part now, if it has changed its id.
  fileprivate func former<State>(_ part: PartID, _ moves: [Work<State>.Move]) -> Element? {
    guard let move = moves.first(where: { $0.to == [part] }) else { return nil }
    return first { ElementID($0.id) == move.from[0].element }
  }
}
