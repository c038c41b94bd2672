/// Reads and modifies the state of a part within the state of its parent.
struct Lens<Whole, Part>: Sendable {
  let id: PartID
  /// Returns the part's state; `nil` when the part has been removed.
  let get: @Sendable (Whole) -> Part?
  /// Changes the part's state; does nothing when the part has been removed.
  let modify: @Sendable (inout Whole, (inout Part) -> Void) -> Void
  /// Detects the part's removal; `nil` for a part that can't be removed.
  var presence: Presence<Whole>?

  /// Changes the part's state and adds the part's work.
  func update(
    _ whole: inout Whole, _ work: inout Work<Whole>,
    _ change: (inout Part, inout Work<Part>) -> Void
  ) {
    modify(&whole) { part in
      var inner = Work<Part>(now: work.now)
      change(&part, &inner)
      work.add(inner, of: self)
    }
  }
}

/// Detects which parts at one key path have been removed, so that their work is cancelled.
struct Presence<State>: Sendable {
  /// The part, preceded by the parts that contain it.
  let path: [PartID]
  let isPresent: @Sendable (State) -> Bool
  /// Returns which of the given parts at this key path have been removed.
  let gone:
    @Sendable (_ before: State, _ now: State, _ parts: Dictionary<PartID, Int>.Keys)
      -> [PartID]

  func lifted<Whole>(by lens: Lens<Whole, State>) -> Presence<Whole> {
    let (isPresent, gone) = (isPresent, gone)
    return Presence<Whole>(
      path: [lens.id] + path,
      isPresent: { lens.get($0).map(isPresent) ?? false },
      gone: { before, now, parts in
        // When the enclosing part has been removed, all its work is cancelled anyway.
        guard let before = lens.get(before), let now = lens.get(now) else { return [] }
        return gone(before, now, parts)
      })
  }
}

extension Lens {
  /// Creates a lens for a part that can't be removed.
  init(_ part: any WritableKeyPath<Whole, Part> & Sendable, named label: String?) {
    self.init(
      id: PartID(keyPath: part, label: label), get: { $0[keyPath: part] },
      modify: { whole, change in change(&whole[keyPath: part]) })
  }

  /// Creates a lens for a presented part, such as a sheet; `nil` when nothing is presented.
  ///
  /// An `Identifiable` part is identified by its id: presenting one with another id removes this
  /// one.
  init?(
    presented part: any WritableKeyPath<Whole, Part?> & Sendable, in whole: Whole,
    named label: String?
  ) {
    guard let presented = whole[keyPath: part] else { return nil }
    let element = ElementID(of: presented)
    let id = PartID(keyPath: part, element: element, label: label)
    let get: @Sendable (Whole) -> Part? = { whole in
      whole[keyPath: part].flatMap { ElementID(of: $0) == element ? $0 : nil }
    }
    self.init(
      id: id, get: get,
      modify: { whole, change in
        guard get(whole) != nil else { return }
        // Modified in place, because a copy would cost as much as all that the part contains.
        change(&whole[keyPath: part]!)
      },
      presence: Presence(
        path: [id], isPresent: { get($0) != nil },
        gone: { _, now, parts in
          let present = now[keyPath: part].map { ElementID(of: $0) }
          return parts.filter { present == nil || $0.element != present }
        }))
  }

  /// Creates a lens for an element of a list; `nil` when the list has none with this id.
  init?<List>(
    each part: any WritableKeyPath<Whole, List> & Sendable, id elementID: Part.ID, in whole: Whole,
    near hint: Int = 0, named label: String?
  )
  where
    List: MutableCollection & RandomAccessCollection & Equatable & Sendable, List.Element == Part,
    Part: Identifiable & Sendable, Part.ID: Sendable
  {
    guard let hint = whole[keyPath: part].offset(of: elementID, near: hint) else { return nil }
    let id = PartID(keyPath: part, element: ElementID(elementID), label: label)
    self.init(
      id: id,
      get: { whole in
        let list = whole[keyPath: part]
        return list.offset(of: elementID, near: hint).map { list[offset: $0] }
      },
      modify: { whole, change in
        // Reads the list each time: holding it in a constant would force a copy on write.
        guard let offset = whole[keyPath: part].offset(of: elementID, near: hint) else { return }
        let index = whole[keyPath: part].index(whole[keyPath: part].startIndex, offsetBy: offset)
        change(&whole[keyPath: part][index])
      },
      presence: Presence(
        path: [id],
        isPresent: { $0[keyPath: part].offset(of: elementID, near: hint) != nil },
        gone: { before, now, parts in
          let (before, now) = (before[keyPath: part], now[keyPath: part])
          // Cheap for an unchanged list: both share the same storage.
          guard before != now, !before.elementsEqual(now, by: { $0.id == $1.id }) else { return [] }
          let ids = Set(now.map { ElementID($0.id) })
          return parts.filter { part in part.element.map { !ids.contains($0) } ?? false }
        }))
  }
}

extension RandomAccessCollection where Element: Identifiable {
  /// Returns the offset of an element from the start, searching outwards from a hint.
  func offset(of id: Element.ID, near hint: Int) -> Int? {
    let count = count
    var (above, below) = (Swift.min(hint, count), Swift.min(hint, count))
    while above < count || below > 0 {
      if above < count {
        if self[offset: above].id == id { return above }
        above += 1
      }
      if below > 0 {
        below -= 1
        if self[offset: below].id == id { return below }
      }
    }
    return nil
  }

  subscript(offset offset: Int) -> Element {
    self[index(startIndex, offsetBy: offset)]
  }
}
