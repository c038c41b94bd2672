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
/// The runner calls the ``Screen/stateDidChange(_:_:)`` of a declared part when its state has changed,
/// before its parent's, and its ``Screen/begin(_:_:)`` when it appears. The parent's loads include its
/// parts' loads.
///
/// A part's `label` is its name in traces, by default the property's name. `event` wraps an event of the part in an event
/// of its parent, for automatic retries and reloads.
public struct Part<State, Event>: Sendable {
  let id: PartID
  /// Calls the part's `stateDidChange` if its state has changed; returns whether the state has
  /// changed.
  let follow: @Sendable (_ before: State?, _ state: inout State, _ work: inout Work<State>) -> Bool
  /// Begins the part, or its elements, if present.
  let begin: @Sendable (_ state: inout State, _ work: inout Work<State>) -> Void
  /// Returns the part's loads, with their names and events in the parent; `nil` for a part without a screen.
  let loads: (@Sendable (State) -> [LoadStatus<Event>])?
}

extension Part {
  /// Declares a part that can't be removed.
  ///
  /// The part of a screen with the same state is `Part(\.self, search, event: Event.search)`.
  public init<Child: Screen>(
    _ keyPath: any WritableKeyPath<State, Child.State> & Sendable, _ screen: Child,
    named label: String? = nil, event: (@Sendable (Child.Event) -> Event)? = nil
  ) {
    let lens = Lens(keyPath, named: label)
    self.init(
      lens.id, screen,
      changed: { before, now, _ in
        let former = before?[keyPath: keyPath]
        return former == now[keyPath: keyPath] ? [] : [(lens, former)]
      },
      loads: { screen.loads(in: $0[keyPath: keyPath], of: lens.id, as: event) })
  }

  /// Declares a part that only scopes the names of work: a value that is not a screen, or whose screen
  /// is created for each event.
  public init<Value>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, named label: String? = nil
  ) {
    self.init(
      id: PartID(keyPath: keyPath, label: label), follow: { _, _, _ in false },
      begin: { _, _ in }, loads: nil)
  }

  /// Declares a part that may be presented, such as a sheet.
  public init<Child: Screen>(
    presented keyPath: any WritableKeyPath<State, Child.State?> & Sendable, _ screen: Child,
    named label: String? = nil, event: (@Sendable (Child.Event) -> Event)? = nil
  ) {
    self.init(
      PartID(keyPath: keyPath, label: label), screen,
      changed: { before, now, moves in
        guard let lens = Lens(presented: keyPath, in: now, named: label) else { return [] }
        let hasMoved = moves.contains { $0.to == [lens.id] }
        let former = hasMoved ? before?[keyPath: keyPath] : before.flatMap(lens.get)
        return former == lens.get(now) ? [] : [(lens, former)]
      },
      loads: { state in
        guard let present = state[keyPath: keyPath] else { return [] }
        let id = PartID(keyPath: keyPath, element: ElementID(of: present), label: label)
        return screen.loads(in: present, of: id, as: event)
      })
  }

  /// Declares the elements of a list as parts, identified by their ids.
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
    self.init(
      PartID(keyPath: keyPath, label: label), screen,
      changed: { before, state, moves in
        let (old, now) = (before?[keyPath: keyPath], state[keyPath: keyPath])
        let offsets = old.map { changes(now, $0) } ?? Array(0..<now.count)
        #if DEBUG
          let hasNewIDs = offsets.contains { offset in
            guard let old, offset < old.count else { return true }
            return old[offset: offset].id != now[offset: offset].id
          }
          if hasNewIDs, let id = now.repeatedID {
            ScreenErrors.report(
              "\(String(reflecting: State.self)) has several elements with the id \(id) in \(PartID(keyPath: keyPath, label: label)): only the first gets results. Make their ids differ."
            )
          }
        #endif
        lazy var byID = Dictionary((old.map { Array($0) } ?? []).map { ($0.id, $0) }) { first, _ in
          first
        }
        return offsets.compactMap { offset in
          let element = now[offset: offset]
          // Most elements keep their offset.
          let same = old.flatMap { offset < $0.count ? $0[offset: offset] : nil }
          let former = same?.id == element.id ? same : byID[element.id]
          // An element that has only moved has not changed.
          guard former != element,
            let lens = Lens<State, Child.State>(
              each: keyPath, id: element.id, in: state, near: offset, ids, named: label)
          else { return nil }
          // An element without a former state may have changed its id.
          let move = moves.first { $0.to == [lens.id] }
          let moved = move.flatMap { move in
            old?.first { ElementID($0.id) == move.from[0].element }
          }
          return (lens, former ?? moved)
        }
      },
      loads: { state in
        state[keyPath: keyPath].flatMap { element in
          screen.loads(
            in: element,
            of: PartID(keyPath: keyPath, element: ElementID(element.id), label: label)
          ) { event?(element.id, $0) }
        }
      })
  }

  /// Declares the values of a dictionary as parts, identified by their keys.
  public init<Child: Screen, ID: Hashable & Comparable & Sendable>(
    each keyPath: any WritableKeyPath<State, [ID: Child.State]> & Sendable, _ screen: Child,
    named label: String? = nil, event: (@Sendable (ID, Child.Event) -> Event)? = nil
  ) {
    self.init(
      PartID(keyPath: keyPath, label: label), screen,
      changed: { before, state, _ in
        let (old, now) = (before?[keyPath: keyPath], state[keyPath: keyPath])
        if old == now { return [] }
        return now.keys.filter { old?[$0] != now[$0] }.sorted().compactMap { key in
          Lens(each: keyPath, key: key, in: state, named: label).map { ($0, old?[key]) }
        }
      },
      loads: { state in
        state[keyPath: keyPath].map { key, value in
          let loads = screen.loads(
            in: value, of: PartID(keyPath: keyPath, element: ElementID(key), label: label)
          ) { event?(key, $0) }
          return (key: key, loads: loads)
        }
        // In the same order for each state.
        .filter { !$0.loads.isEmpty }.sorted { $0.key < $1.key }.flatMap(\.loads)
      })
  }

  /// Declares a screen as one or several parts.
  ///
  /// - Parameters:
  ///   - changed: A closure that returns the parts whose states have changed, with their former
  ///     states; `nil` for a part that has appeared. Without a state before, it returns all parts.
  private init<Child: Screen>(
    _ id: PartID, _ screen: Child,
    changed:
      @escaping @Sendable (_ before: State?, _ now: State, _ moves: [PartMove])
      -> [(lens: Lens<State, Child.State>, former: Child.State?)],
    loads: @escaping @Sendable (State) -> [LoadStatus<Event>]
  ) {
    let awaitsLoads = Child.State.self is any LoadingState.Type
    self.init(
      id: id,
      follow: { before, state, work in
        let changes = changed(before, state, work.moves)
        for (lens, former) in changes {
          let appears = before != nil && former == nil
          lens.update(&state, &work) { state, work in
            if awaitsLoads { screen.endAbandonedLoad(&state) }
            if appears { screen.beginAll(&state, &work) }
            screen.follow(from: former, &state, &work)
          }
        }
        return !changes.isEmpty
      },
      begin: { state, work in
        for (lens, _) in changed(nil, state, []) { lens.update(&state, &work, screen.beginAll) }
      }, loads: loads)
  }
}

extension Collection where Element: Identifiable {
  /// The first id that several elements have; `nil` if all ids differ.
  fileprivate var repeatedID: Element.ID? {
    var ids: Set<Element.ID> = []
    return first { !ids.insert($0.id).inserted }?.id
  }
}

extension Screen {
  /// Calls `stateDidChange` of the parts that have changed, then of the screen itself.
  func follow(from before: State?, _ state: inout State, _ work: inout Work<State>) {
    for part in parts { _ = part.follow(before, &state, &work) }
    stateDidChange(&state, &work)
  }

  /// Begins the parts that are present, then the screen itself.
  func beginAll(_ state: inout State, _ work: inout Work<State>) {
    for part in parts { part.begin(&state, &work) }
    begin(&state, &work)
  }

  /// Returns the screen's loads with the names and events of a parent screen.
  fileprivate func loads<Outer>(
    in state: State, of part: @autoclosure () -> PartID, as event: ((Event) -> Outer?)?
  ) -> [LoadStatus<Outer>] {
    let loads = loads(in: state)
    // Most rows have no loads, and a name takes longer to make than to find that out.
    if loads.isEmpty { return [] }
    let part = part()
    return loads.map { load in load.inside(part) { event?($0) } }
  }
}
