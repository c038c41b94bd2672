/// Where a part of a screen is in the whole, and whether it is there at all.
struct Lens<Whole, Part>: Sendable {
  let id: PartID
  /// The part; `nil` when it is gone.
  let get: @Sendable (Whole) -> Part?
  /// Changes the part; does nothing when it is gone.
  let modify: @Sendable (inout Whole, (inout Part) -> Void) -> Void
  /// Tells whether the part has gone; `nil` for one that is always there.
  var presence: Presence<Whole>?

  /// Lets the part change itself and add its work.
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

/// Tells which parts at one key path have gone, so that their work is cancelled.
struct Presence<State>: Sendable {
  /// The part, after those that it is in.
  let path: [PartID]
  let isThere: @Sendable (State) -> Bool
  /// Returns those of some parts at this key path that are not there now.
  let gone:
    @Sendable (_ before: State, _ now: State, _ parts: Dictionary<PartID, Int>.Keys)
      -> [PartID]

  func lifted<Whole>(by lens: Lens<Whole, State>) -> Presence<Whole> {
    let (isThere, gone) = (isThere, gone)
    return Presence<Whole>(
      path: [lens.id] + path,
      isThere: { lens.get($0).map(isThere) ?? false },
      gone: { before, now, parts in
        // When the part around them has gone, all its work is cancelled anyway.
        guard let before = lens.get(before), let now = lens.get(now) else { return [] }
        return gone(before, now, parts)
      })
  }
}

extension Lens {
  /// A part that is always there.
  init(_ part: any WritableKeyPath<Whole, Part> & Sendable, named label: String?) {
    self.init(
      id: PartID(keyPath: part, label: label), get: { $0[keyPath: part] },
      modify: { whole, change in change(&whole[keyPath: part]) })
  }

  /// What is presented in a state, as a sheet is; `nil` when nothing is.
  ///
  /// What has an id is told apart by it: when another one is presented, this one is gone.
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
        // It is there, and is changed in its place: a copy would cost as much as what it holds.
        change(&whole[keyPath: part]!)
      },
      presence: Presence(
        path: [id], isThere: { get($0) != nil },
        gone: { _, now, parts in
          let present = now[keyPath: part].map { ElementID(of: $0) }
          return parts.filter { present == nil || $0.element != present }
        }))
  }

  /// An element of a list; `nil` when the list in a state has none with this id.
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
        // The list is read anew each time: kept in a constant, it would be copied to be changed.
        guard let offset = whole[keyPath: part].offset(of: elementID, near: hint) else { return }
        let index = whole[keyPath: part].index(whole[keyPath: part].startIndex, offsetBy: offset)
        change(&whole[keyPath: part][index])
      },
      presence: Presence(
        path: [id],
        isThere: { $0[keyPath: part].offset(of: elementID, near: hint) != nil },
        gone: { before, now, parts in
          let (before, now) = (before[keyPath: part], now[keyPath: part])
          // Cheap for a list that was not touched: both are the same storage.
          guard before != now, !before.elementsEqual(now, by: { $0.id == $1.id }) else { return [] }
          let ids = Set(now.map { ElementID($0.id) })
          return parts.filter { part in part.element.map { !ids.contains($0) } ?? false }
        }))
  }
}

extension RandomAccessCollection where Element: Identifiable {
  /// Returns how far from the start an element is, looking first where it was.
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
