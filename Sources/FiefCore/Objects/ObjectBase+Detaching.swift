import Foundation

// An application may declare its own `detached()` in an extension of `Object`. It would override a method of
// the base class, which extensions cannot do.

extension Object {
  /// Returns a deep copy that does not belong to a store. Linked and embedded objects are copied too, each
  /// exactly once, so that cycles are preserved.
  ///
  /// The whole graph of reachable objects is read and copied, so copying one object may copy many.
  public func detached() -> Self { DeepCopies.detached(self) }
}

extension EmbeddedObject {
  /// Returns a deep copy that does not belong to a store, as for an `Object`.
  public func detached() -> Self { DeepCopies.detached(self) }
}

extension DeepCopies {
  fileprivate static func detached<Element: ObjectBase>(_ object: Element) -> Element {
    var copies = DeepCopies(taking: .none)
    let result = copies.copy(of: object)
    copies.fill()
    return result
  }
}

/// The objects of a deep copy. Copies are created empty and filled one after another, so a long chain of
/// links does not overflow the stack.
struct DeepCopies {
  /// The identity of an object, by which two instances of the same object are recognized. The identity of a
  /// stored object is its key, because each read of a link outside a scope creates a new instance.
  private enum Identity: Hashable {
    case instance(ObjectIdentifier)
    case stored(store: UUID, ObjectIdentifier, key: [UInt8])
  }

  /// The objects that are used without a copy.
  enum SharedObjects {
    case none
    /// Objects in the store of a write.
    case stored(any LinkableObjects)
    /// All objects except embedded ones.
    case linked
  }

  let taken: SharedObjects
  /// Whether the value that is being copied was read from a store. A deleted object in such a value becomes
  /// nil, as in the store. In a value that the application passed, a deleted object is an error.
  private var isStoredValue = false
  /// The objects in the value that is being copied whose links were read, although the property was assigned.
  private var readObjects: Set<ObjectIdentifier> = []
  /// The read links in the value that is being copied, for ``CopiedLinks``.
  private var readLinks: [ObjectBase] = []

  /// The reason why a value must not be copied.
  private(set) var failure: FiefError?

  private var copies: [Identity: ObjectBase] = [:]
  /// `keepsAssigned` indicates whether only the assigned properties of the original count as assigned in the
  /// copy.
  private var pending: [(original: ObjectBase, copy: ObjectBase, keepsAssigned: Bool)] = []

  init(taking taken: SharedObjects) { self.taken = taken }

  private static func identity(of object: ObjectBase) -> Identity {
    let type = Swift.type(of: object)
    guard !(object is EmbeddedObject), let host = object._origin?.host, let store = host.storeID,
      let binding = host.binding(of: type), let key = try? binding.key(of: object)
    else { return .instance(ObjectIdentifier(object)) }
    return .stored(store: store, ObjectIdentifier(type), key: key)
  }

  /// Returns the object if the copy links to it, or `nil` if the object must be copied.
  private func linked<Element: ObjectBase>(_ object: Element) -> Element? {
    if object is EmbeddedObject { return nil }
    switch taken {
    case .none: return nil
    case .linked: return object
    case .stored(let write): return write.linked(object)
    }
  }

  /// Whether a link in the value that is being copied was read from the store.
  private func isRead(_ object: ObjectBase) -> Bool {
    isStoredValue || readObjects.contains(ObjectIdentifier(object))
  }

  /// Whether a value is a link that the copy omits: it was read from a store that has deleted the object
  /// since.
  func isDropped(_ value: Any) -> Bool {
    guard case .stored(let write) = taken, let object = value as? ObjectBase, isRead(object) else {
      return false
    }
    return write.refusal(of: object) != nil
  }

  /// Whether the copy omits the object in a value of any type.
  func leavesOut(_ object: Object) -> Bool {
    switch taken {
    case .none: object._wasDeleted
    case .linked: object._wasDeleted && isRead(object)
    case .stored: isDropped(object)
    }
  }

  /// Returns the copy of an element of a collection, or `nil` if the element links to a deleted object.
  mutating func element<Element>(_ element: Element) -> Element? {
    if isDropped(element) { return nil }
    return (element as? any DeepCopyable)?.deepCopy(&self) as? Element ?? element
  }

  /// Records an error for deleted objects in a collection that the application passed.
  mutating func check(_ values: some Sequence<some RealmCollectionValue>) {
    guard case .stored(let write) = taken, !isStoredValue, failure == nil else { return }
    for case let value as AnyRealmValue in values where value.hasObject {
      value.forEachObject { if !isRead($0) { failure = failure ?? write.refusal(of: $0) } }
    }
  }

  private func keepsAssigned(_ original: ObjectBase) -> Bool {
    guard case .stored = taken else { return false }
    return original._origin?.host.isInStore != true
  }

  /// Returns the copy of an object. The copy may not have its values yet.
  mutating func copy<Element: ObjectBase>(of original: Element) -> Element {
    if failure == nil, case .stored(let write) = taken { failure = write.refusal(of: original) }
    if let linked = linked(original) {
      if case .linked = taken, isRead(original) { readLinks.append(original) }
      return linked
    }
    let identity = Self.identity(of: original)
    if let known = copies[identity] as? Element { return known }
    let copy = Swift.type(of: original).init()
    begin(copy, of: original, identity, keepsAssigned: keepsAssigned(original))
    return copy
  }

  /// Uses an existing object as the copy of another one.
  mutating func copy(_ original: ObjectBase, to copy: ObjectBase) {
    if failure == nil, case .stored(let write) = taken { failure = write.refusalOfCopy(of: original) }
    begin(copy, of: original, Self.identity(of: original), keepsAssigned: false)
  }

  private mutating func begin(
    _ copy: ObjectBase,
    of original: ObjectBase,
    _ identity: Identity,
    keepsAssigned: Bool
  ) {
    original.willBeRead()
    ConversionErrors.copy(from: original, to: copy)
    // A copy with a generated key is a separate object and gets no stamp.
    if case .none = taken, !original.descriptor.primaryKey.isEmpty { copy._stamp = original._stamp }
    copies[identity] = copy
    let descriptor = original.descriptor
    // The primary key is set before the other values, because a set identifies objects by it.
    for index in descriptor.primaryKey {
      copy.setValue(original.value(of: descriptor.properties[index]), of: descriptor.properties[index])
    }
    // The originals are kept alive until the end, so that no other object can have the same address.
    pending.append((original, copy, keepsAssigned))
  }

  /// The copied objects with their copies.
  var pairs: [(original: ObjectBase, copy: ObjectBase)] { pending.map { ($0.original, $0.copy) } }

  mutating func fill() {
    var next = 0
    while next < pending.count {
      let (original, copy, keepsAssigned) = pending[next]
      next += 1
      // Assignments to the copy remove its notes.
      var notes: [(links: [ObjectBase], property: PropertyDescriptor)] = []
      for property in original.descriptor.properties where property.access != .none {
        if original.hasUnknownValue(of: property) {
          copy.keepUnknownValue(of: property, like: original)
          continue
        }
        let value = original.value(of: property)
        isStoredValue = original._origin?.host.isInStore == true && !original.isAssigned(property)
        readObjects = isStoredValue ? [] : Self.readObjects(in: value, original, property)
        if isDropped(value) {
          copy.setValue(Swift.type(of: value)._defaultValue(), of: property)
          continue
        }
        copy.setValue((value as? any DeepCopyable)?.deepCopy(&self) ?? value, of: property)
        if !readLinks.isEmpty { notes.append((readLinks, property)) }
        readLinks = []
        if var error = failure, error.type == nil {
          (error.type, error.property) = (original.descriptor.name, property.name)
          failure = error
        }
        if keepsAssigned, !original.isAssigned(property) { copy.unmarkAssigned(property) }
      }
      for (links, property) in notes { CopiedLinks.note(links, of: copy, property) }
    }
    isStoredValue = false
    readObjects = []
  }

  /// Returns the objects in an assigned value whose links were read nevertheless: elements of a collection
  /// that was read and then changed, and links of an object that is a copy itself.
  private static func readObjects(
    in value: any Persistable,
    _ original: ObjectBase,
    _ property: PropertyDescriptor
  ) -> Set<ObjectIdentifier> {
    var objects: [ObjectBase] = []
    if original._origin?.host.isInStore == true {
      (value as? any ReadLinksCollection)?.appendReadObjects(to: &objects)
    } else {
      objects = CopiedLinks.objects(of: original, property)
    }
    return Set(objects.map { ObjectIdentifier($0) })
  }
}

/// Copies the objects among the values from which an object of a store is created.
///
/// Objects of the same store are linked. Other objects are copied together with all objects that they link to
/// or embed, so that the originals stay unchanged.
final class ValueCopies {
  private var copies: DeepCopies

  init(linkingIn write: any LinkableObjects) { copies = DeepCopies(taking: .stored(write)) }

  /// Creates an instance that copies only embedded objects.
  init() { copies = DeepCopies(taking: .linked) }

  /// Returns the value with copies in place of objects. The copies get their values in ``fill()``.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if a deleted object is among the values.
  func value<Value>(_ value: Value) throws -> Value {
    let copy = (value as? any DeepCopyable)?.deepCopy(&copies) as? Value ?? value
    if let failure = copies.failure { throw failure }
    return copy
  }

  /// Makes an object that has no values yet a copy of another object, which may belong to any store.
  ///
  /// The next ``fill()`` throws an error if the original was deleted.
  func copy(_ original: ObjectBase, to copy: ObjectBase) { copies.copy(original, to: copy) }

  /// - Throws: ``FiefError`` of code `objectNotFound` if a deleted object is among the values.
  func fill() throws {
    copies.fill()
    if let failure = copies.failure { throw failure }
  }
}

/// A store's objects, as the targets of links that a write stores.
protocol LinkableObjects {
  /// Returns the object to link to in place of the given object, or `nil` if the given object must be copied.
  func linked<Element: ObjectBase>(_ object: Element) -> Element?
  /// Returns the error for a deleted object, or `nil` for any other object. A copy of a deleted object would
  /// restore it, and a link to it would read as nil.
  func refusal(of object: ObjectBase) -> FiefError?
  /// Returns the error for a deleted object that is copied as a whole, or `nil` for any other object.
  func refusalOfCopy(of object: ObjectBase) -> FiefError?
}

/// A value that contains objects, which a deep copy replaces.
protocol DeepCopyable {
  func deepCopy(_ copies: inout DeepCopies) -> Any
}

extension ObjectBase: DeepCopyable {
  func deepCopy(_ copies: inout DeepCopies) -> Any { copies.copy(of: self) }
}

extension Optional: DeepCopyable {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    guard let wrapped = self, let copyable = wrapped as? any DeepCopyable else { return self as Any }
    return (copyable.deepCopy(&copies) as? Wrapped) as Any
  }
}
