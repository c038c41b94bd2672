import Synchronization

/// Reads and modifies the state of a part within the state of its parent.
@usableFromInline
struct Lens<Whole, Part>: Sendable {
  private let declared: PartID
  /// Returns the part's state; `nil` when the part has been removed.
  let get: @Sendable (Whole) -> Part?
  /// Changes the part's state; does nothing when the part has been removed.
  let modify: @Sendable (inout Whole, (inout Part) -> Void) -> Void
  /// Returns the current id of the part's element; `nil` for a part without an id.
  private let element: @Sendable () -> ElementID?
  /// Returns the id of the part's state.
  private let elementOf: @Sendable (Part) -> ElementID?
  private let rename: @Sendable (ElementID?) -> Void
  /// The detector of removed parts; `nil` for a part that can't be removed.
  private let removed: Presence<Whole>.Detector?

  var id: PartID {
    var id = declared
    id.element = element()
    return id
  }

  /// The detector of the part's removal; `nil` for a part that can't be removed.
  var presence: Presence<Whole>? {
    removed.map { [get, rename] removed in
      Presence(path: [id], isPresent: { get($0) != nil }, removed: removed, rename: rename)
    }
  }

  /// Changes the part's state and adds the part's work, which is renamed if the change gives the part
  /// another id.
  @usableFromInline
  func update(
    _ whole: inout Whole, _ work: inout Work<Whole>,
    _ change: (inout Part, inout Work<Part>) -> Void
  ) {
    modify(&whole) { part in
      let before = id
      var inner = work.inside(before, as: Part.self)
      change(&part, &inner)
      if case let now = elementOf(part), now != before.element {
        rename(now)
        work.commands.append(.move(([before], [id])))
      }
      work.add(inner, of: self)
    }
  }
}

/// The current id of an element.
///
/// The element's work shares the box, so that it finds the element after a change of the id.
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
  typealias Detector =
    @Sendable (_ before: State, _ now: State, _ parts: Dictionary<PartID, Int>.Keys) -> [PartID]

  /// The part's path: the parts that contain it, then the part.
  var path: [PartID]
  let isPresent: @Sendable (State) -> Bool
  /// Returns the given parts at this key path that have been removed.
  let removed: Detector
  let rename: @Sendable (ElementID?) -> Void

  func lifted<Whole>(by lens: Lens<Whole, State>) -> Presence<Whole> {
    let (isPresent, removed) = (isPresent, removed)
    return Presence<Whole>(
      path: [lens.id] + path,
      isPresent: { lens.get($0).map(isPresent) ?? false },
      removed: { before, now, parts in
        // When the enclosing part has been removed, all its work is cancelled anyway.
        guard let before = lens.get(before), let now = lens.get(now) else { return [] }
        return removed(before, now, parts)
      },
      rename: rename)
  }
}

extension Lens {
  /// Creates a lens for a part that can't be removed.
  init(_ part: any WritableKeyPath<Whole, Part> & Sendable, named label: String?) {
    self.init(
      declared: PartID(keyPath: part, label: label), get: { $0[keyPath: part] },
      modify: { whole, change in change(&whole[keyPath: part]) }, element: { nil },
      elementOf: { _ in nil }, rename: { _ in }, removed: nil)
  }

  /// Creates a lens for a presented part, such as a sheet; `nil` when nothing is presented.
  ///
  /// An `Identifiable` part is identified by its id: presenting a part with another id removes this
  /// part.
  init?(
    presented part: any WritableKeyPath<Whole, Part?> & Sendable, in whole: Whole,
    named label: String?
  ) {
    guard let presented = whole[keyPath: part] else { return nil }
    let box = ElementBox(ElementID(of: presented))
    let get: @Sendable (Whole) -> Part? = { whole in
      whole[keyPath: part].flatMap { ElementID(of: $0) == box.id ? $0 : nil }
    }
    self.init(
      declared: PartID(keyPath: part, label: label), get: get,
      modify: { whole, change in
        guard get(whole) != nil else { return }
        // Modified in place, because a copy would cost as much as the part's whole contents.
        change(&whole[keyPath: part]!)
      },
      element: { box.id }, elementOf: { ElementID(of: $0) }, rename: { box.id = $0 },
      removed: { _, now, parts in
        let present = now[keyPath: part].map { ElementID(of: $0) }
        return parts.filter { present == nil || $0.element != present }
      })
  }

  /// Creates a lens for an element of a list; `nil` when the list has no element with this id.
  @usableFromInline
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
    self.init(
      declared: PartID(keyPath: part, label: label),
      get: { whole in
        let list = whole[keyPath: part]
        return ids.offset(list, box.id, hint).map { list[offset: $0] }
      },
      modify: { whole, change in
        // Reads the list each time: holding it in a constant would force a copy on write.
        guard let offset = ids.offset(whole[keyPath: part], box.id, hint) else { return }
        guard let changed = changed(whole[keyPath: part][offset: offset], change) else { return }
        let index = whole[keyPath: part].index(whole[keyPath: part].startIndex, offsetBy: offset)
        whole[keyPath: part][index] = changed
      },
      element: { ElementID(box.id) }, elementOf: { ElementID($0.id) },
      rename: { new in
        if let new = new?.id.base as? Part.ID { box.id = new }
      },
      removed: { before, now, parts in
        let (before, now) = (before[keyPath: part], now[keyPath: part])
        guard !ids.areSame(before, now) else { return [] }
        let ids = Set(now.map { ElementID($0.id) })
        return parts.filter { part in part.element.map { !ids.contains($0) } ?? false }
      })
  }
}

extension Lens {
  /// Creates a lens for a value of a dictionary; `nil` when the dictionary has no value for this key.
  init?<Key: Hashable & Sendable>(
    each part: any WritableKeyPath<Whole, [Key: Part]> & Sendable, key: Key, in whole: Whole,
    named label: String?
  ) {
    guard whole[keyPath: part][key] != nil else { return nil }
    self.init(
      declared: PartID(keyPath: part, label: label), get: { $0[keyPath: part][key] },
      modify: { whole, change in
        guard let value = whole[keyPath: part][key], let changed = changed(value, change) else {
          return
        }
        whole[keyPath: part][key] = changed
      },
      element: { ElementID(key) }, elementOf: { _ in ElementID(key) }, rename: { _ in },
      removed: { _, now, parts in
        let values = now[keyPath: part]
        return parts.filter { ($0.element?.id.base as? Key).map { values[$0] == nil } ?? false }
      })
  }
}

/// Returns a changed copy of a value; `nil` if the closure has changed nothing.
///
/// An unchanged element is not stored again, which would copy the whole list, because an earlier state shares it. The
/// bytes are compared, because `==` ignores properties such as those of ``Unobserved``. While the value exists, a change
/// of what it refers to makes a new reference.
private func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value? {
  withUnsafePointer(to: value) { value in
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer -> Value? in
      guard let copy = buffer.baseAddress else { return nil }
      let size = MemoryLayout<Value>.size
      // Copies the padding, too, which initialization may not.
      UnsafeMutableRawPointer(copy).copyMemory(from: value, byteCount: size)
      copy.initialize(from: value, count: 1)
      defer { copy.deinitialize(count: 1) }
      change(&copy.pointee)
      let (before, after) = (
        UnsafeRawBufferPointer(start: value, count: size),
        UnsafeRawBufferPointer(start: copy, count: size)
      )
      return before.elementsEqual(after) ? nil : copy.pointee
    }
  }
}

extension RandomAccessCollection {
  subscript(offset offset: Int) -> Element {
    self[index(startIndex, offsetBy: offset)]
  }
}
