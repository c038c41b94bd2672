import Synchronization

/// Reads and modifies the state of a part within the state of its parent.
struct Lens<Whole, Part>: Sendable {
  /// The element that the part is, which it may rename; `nil` for a part without an id.
  struct Element: Sendable {
    /// Returns the id, as it is now.
    let id: @Sendable () -> ElementID?
    /// Returns the id of the part's state.
    let idOf: @Sendable (Part) -> ElementID?
    /// Follows the part to another id.
    let rename: @Sendable (ElementID?) -> Void
  }

  private let declared: PartID
  /// Returns the part's state; `nil` when the part has been removed.
  let get: @Sendable (Whole) -> Part?
  /// Changes the part's state; does nothing when the part has been removed.
  let modify: @Sendable (inout Whole, (inout Part) -> Void) -> Void
  var element: Element?
  private let detector: Presence<Whole>?

  init(
    _ declared: PartID, get: @escaping @Sendable (Whole) -> Part?,
    modify: @escaping @Sendable (inout Whole, (inout Part) -> Void) -> Void,
    element: Element? = nil, presence: Presence<Whole>? = nil
  ) {
    self.declared = declared
    self.get = get
    self.modify = modify
    self.element = element
    detector = presence
  }

  /// The part's id, as it is now.
  var id: PartID {
    guard let element else { return declared }
    var id = declared
    id.element = element.id()
    return id
  }

  /// Detects the part's removal; `nil` for a part that can't be removed.
  var presence: Presence<Whole>? {
    var presence = detector
    presence?.path = [id]
    return presence
  }

  /// Changes the part's state and adds the part's work, which follows the part if the change gives it
  /// another id.
  func update(
    _ whole: inout Whole, _ work: inout Work<Whole>,
    _ change: (inout Part, inout Work<Part>) -> Void
  ) {
    modify(&whole) { part in
      let before = id
      var inner = work.inside(before, as: Part.self)
      change(&part, &inner)
      if let element, case let now = element.idOf(part), now != before.element {
        element.rename(now)
        work.move(from: before, to: id)
      }
      work.add(inner, of: self)
    }
  }
}

/// The id of an element, which follows the element when it changes.
///
/// The work of the element shares it, so that it finds the element again.
private final class ElementBox<ID: Sendable>: Sendable {
  private let stored: Mutex<ID>

  init(_ id: ID) {
    stored = Mutex(id)
  }

  var id: ID {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}

/// Detects which parts at one key path have been removed, so that their work is cancelled.
struct Presence<State>: Sendable {
  /// The part, preceded by the parts that contain it.
  var path: [PartID]
  let isPresent: @Sendable (State) -> Bool
  /// Returns which of the given parts at this key path have been removed.
  let gone:
    @Sendable (_ before: State, _ now: State, _ parts: Dictionary<PartID, Int>.Keys)
      -> [PartID]
  /// Follows the part to another id.
  let rename: @Sendable (ElementID?) -> Void

  func lifted<Whole>(by lens: Lens<Whole, State>) -> Presence<Whole> {
    let (isPresent, gone) = (isPresent, gone)
    return Presence<Whole>(
      path: [lens.id] + path,
      isPresent: { lens.get($0).map(isPresent) ?? false },
      gone: { before, now, parts in
        // When the enclosing part has been removed, all its work is cancelled anyway.
        guard let before = lens.get(before), let now = lens.get(now) else { return [] }
        return gone(before, now, parts)
      },
      rename: rename)
  }
}

extension Lens {
  /// Creates a lens for a part that can't be removed.
  init(_ part: any WritableKeyPath<Whole, Part> & Sendable, named label: String?) {
    self.init(
      PartID(keyPath: part, label: label), get: { $0[keyPath: part] },
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
    let box = ElementBox(ElementID(of: presented))
    let id = PartID(keyPath: part, element: box.id, label: label)
    let get: @Sendable (Whole) -> Part? = { whole in
      whole[keyPath: part].flatMap { ElementID(of: $0) == box.id ? $0 : nil }
    }
    self.init(
      id, get: get,
      modify: { whole, change in
        guard get(whole) != nil else { return }
        // Modified in place, because a copy would cost as much as all that the part contains.
        change(&whole[keyPath: part]!)
      },
      element: box.id.map { _ in
        Element(id: { box.id }, idOf: { ElementID(of: $0) }, rename: { box.id = $0 })
      },
      presence: Presence(
        path: [id], isPresent: { get($0) != nil },
        gone: { _, now, parts in
          let present = now[keyPath: part].map { ElementID(of: $0) }
          return parts.filter { present == nil || $0.element != present }
        }, rename: { box.id = $0 }))
  }

  /// Creates a lens for an element of a list; `nil` when the list has none with this id.
  init?<List>(
    each part: any WritableKeyPath<Whole, List> & Sendable, id elementID: Part.ID, in whole: Whole,
    near hint: Int = 0, _ ids: ListIDs<List>, named label: String?
  )
  where
    List: MutableCollection & RandomAccessCollection & Equatable & Sendable, List.Element == Part,
    Part: Identifiable & Sendable, Part.ID: Sendable
  {
    guard let hint = ids.offset(whole[keyPath: part], elementID, hint) else { return nil }
    let box = ElementBox(elementID)
    let id = PartID(keyPath: part, element: ElementID(elementID), label: label)
    let rename: @Sendable (ElementID?) -> Void = { new in
      if let new = new?.id.base as? Part.ID { box.id = new }
    }
    self.init(
      id,
      get: { whole in
        let list = whole[keyPath: part]
        return ids.offset(list, box.id, hint).map { list[offset: $0] }
      },
      modify: { whole, change in
        // Reads the list each time: holding it in a constant would force a copy on write.
        guard let offset = ids.offset(whole[keyPath: part], box.id, hint) else { return }
        let index = whole[keyPath: part].index(whole[keyPath: part].startIndex, offsetBy: offset)
        change(&whole[keyPath: part][index])
      },
      element: Element(id: { ElementID(box.id) }, idOf: { ElementID($0.id) }, rename: rename),
      presence: Presence(
        path: [id],
        isPresent: { ids.offset($0[keyPath: part], box.id, hint) != nil },
        gone: { before, now, parts in
          let (before, now) = (before[keyPath: part], now[keyPath: part])
          guard !ids.areSame(before, now) else { return [] }
          let ids = Set(now.map { ElementID($0.id) })
          return parts.filter { part in part.element.map { !ids.contains($0) } ?? false }
        }, rename: rename))
  }
}

extension RandomAccessCollection {
  subscript(offset offset: Int) -> Element {
    self[index(startIndex, offsetBy: offset)]
  }
}
