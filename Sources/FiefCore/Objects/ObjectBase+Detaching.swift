import Foundation

extension ObjectBase {
  /// A deep copy that belongs to no store: linked and embedded objects are copied too, each once, so that
  /// cycles stay cycles.
  ///
  /// Whatever can be reached is read and copied: the copy of one object of a large graph is the graph.
  public func detached() -> Self {
    var copies = DeepCopies(taking: .none)
    let result = copies.copy(of: self)
    copies.fill()
    return result
  }
}

/// The objects of a deep copy. Copies are made empty and filled one after the other, so that a long chain
/// of links needs no deep stack.
struct DeepCopies {
  /// The identity of an object, by which two instances are the same one: its key, where they were read from a
  /// store, since each read of a link outside of a scope makes a new instance.
  private enum Identity: Hashable {
    case instance(ObjectIdentifier)
    case stored(store: UUID, ObjectIdentifier, key: [UInt8])
  }

  /// The objects that are used without a copy.
  enum Taken {
    case none
    /// Objects of the store of a write.
    case stored(any LinkableObjects)
    /// All that are not inside of others.
    case linked
  }

  let taken: Taken
  /// Whether the values that are being copied are those of an embedded object.
  private var isInPart = false
  /// Whether the copied values belong to a deleted object, which brings its linked objects.
  private var isInRevived = false

  /// The reason why a value must not be copied.
  private(set) var failure: FiefError?

  private var copies: [Identity: ObjectBase] = [:]
  /// `keepsAssigned` says whether only the assigned properties of the original count as assigned in the copy.
  private var pending: [(original: ObjectBase, copy: ObjectBase, keepsAssigned: Bool)] = []

  init(taking taken: Taken) { self.taken = taken }

  private static func identity(of object: ObjectBase) -> Identity {
    let type = Swift.type(of: object)
    guard !(object is EmbeddedObject), let origin = object._origin, let store = origin.storeID,
      let binding = origin.binding(of: type), let key = try? binding.key(of: object)
    else { return .instance(ObjectIdentifier(object)) }
    return .stored(store: store, ObjectIdentifier(type), key: key)
  }

  /// The object to be linked to; nil where one has to be copied.
  private func linked<Element: ObjectBase>(_ object: Element) -> Element? {
    if object is EmbeddedObject { return nil }
    switch taken {
    case .none: return nil
    case .linked: return object
    case .stored(let write): return write.linked(object)
    }
  }

  /// Whether the value of an embedded object that is copied into a write is a link to an object that a write has deleted: it leads to nothing,
  /// as in the store.
  private func isDropped(_ value: Any) -> Bool {
    guard case .stored = taken, let object = value as? ObjectBase else { return false }
    return object._wasDeleted && !(object is EmbeddedObject)
  }

  /// The copy of an element of a collection; nil where it leads to nothing.
  mutating func element<Element>(_ element: Element) -> Element? {
    if isInPart, isDropped(element) { return nil }
    return (element as? any DeepCopyable)?.deepCopy(&self) as? Element ?? element
  }

  private func keepsAssigned(_ original: ObjectBase) -> Bool {
    guard case .stored = taken else { return false }
    return original._origin?.isInStore != true
  }

  /// The copy of an object, which may not have its values yet.
  mutating func copy<Element: ObjectBase>(of original: Element) -> Element {
    if failure == nil, !isInRevived, case .stored(let write) = taken {
      failure = write.refusal(of: original)
    }
    if let linked = linked(original) { return linked }
    let identity = Self.identity(of: original)
    if let known = copies[identity] as? Element { return known }
    let copy = Swift.type(of: original).init()
    begin(copy, of: original, identity, keepsAssigned: keepsAssigned(original))
    return copy
  }

  /// Lets an object that was made already be the copy of another one.
  mutating func copy(_ original: ObjectBase, to copy: ObjectBase) {
    begin(copy, of: original, Self.identity(of: original), keepsAssigned: false)
  }

  private mutating func begin(
    _ copy: ObjectBase,
    of original: ObjectBase,
    _ identity: Identity,
    keepsAssigned: Bool
  ) {
    original.willBeRead()
    Misfits.copy(from: original, to: copy)
    // A copy under a generated key will be another object.
    if case .none = taken, !original.descriptor.primaryKey.isEmpty { copy._stamp = original._stamp }
    copies[identity] = copy
    let descriptor = original.descriptor
    // Before the other values, since a set identifies objects by it.
    for index in descriptor.primaryKey {
      copy.setValue(original.value(of: descriptor.properties[index]), of: descriptor.properties[index])
    }
    // The originals are held until the end, so that no other object gets the address of one.
    pending.append((original, copy, keepsAssigned))
  }

  /// The objects that were copied, with their copies.
  var pairs: [(original: ObjectBase, copy: ObjectBase)] { pending.map { ($0.original, $0.copy) } }

  mutating func fill() {
    var next = 0
    while next < pending.count {
      let (original, copy, keepsAssigned) = pending[next]
      next += 1
      isInPart = original is EmbeddedObject
      isInRevived = original._wasDeleted
      for property in original.descriptor.properties where property.access != .none {
        if original.hasUnknownValue(of: property) {
          copy.keepUnknownValue(of: property, like: original)
          continue
        }
        let value = original.value(of: property)
        if isInPart, isDropped(value) {
          copy.setValue(Swift.type(of: value)._defaultValue(), of: property)
          continue
        }
        copy.setValue((value as? any DeepCopyable)?.deepCopy(&self) ?? value, of: property)
        if var error = failure, error.type == nil {
          (error.type, error.property) = (original.descriptor.name, property.name)
          failure = error
        }
        if keepsAssigned, !original.isAssigned(property) { copy.unmarkAssigned(property) }
      }
    }
  }
}

/// The objects among the values that an object of a store is made from.
///
/// Objects of the store are linked to. Others are copied with all that they link and embed, so that the
/// originals stay unchanged.
final class ValueCopies {
  private var copies: DeepCopies

  init(linkingIn write: any LinkableObjects) { copies = DeepCopies(taking: .stored(write)) }

  /// Only embedded objects are copied.
  init() { copies = DeepCopies(taking: .linked) }

  /// The value, with copies in the place of objects; they have their values after ``fill()``.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if an object that was deleted is among the values.
  func value<Value>(_ value: Value) throws -> Value {
    let copy = (value as? any DeepCopyable)?.deepCopy(&copies) as? Value ?? value
    if let failure = copies.failure { throw failure }
    return copy
  }

  /// Makes an object that has no values yet a copy of another one, whatever store that is of.
  func copy(_ original: ObjectBase, to copy: ObjectBase) { copies.copy(original, to: copy) }

  /// - Throws: ``FiefError`` of code `objectNotFound` if an object that was deleted is among the values.
  func fill() throws {
    copies.fill()
    if let failure = copies.failure { throw failure }
  }
}

/// A write, which links to the objects of its store and to no others.
protocol LinkableObjects {
  /// The object that is linked to in the place of one; nil where that has to be copied.
  func linked<Element: ObjectBase>(_ object: Element) -> Element?
  /// The error for an object that was deleted: a copy would bring it back, and a link would lead to nothing. Nil for any other object.
  func refusal(of object: ObjectBase) -> FiefError?
}

/// Values that hold objects, which a deep copy replaces.
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
