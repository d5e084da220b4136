extension ObjectBase {
  /// A deep copy that belongs to no store: linked and embedded objects are copied too, each once, so that
  /// cycles stay cycles.
  ///
  /// Whatever can be reached is read and copied: the copy of one object of a large graph is the graph.
  public func detached() -> Self {
    var copies = DeepCopies()
    let result = copies.copy(of: self)
    copies.fill()
    return result
  }
}

/// The objects of a deep copy. Copies are made empty and filled one after the other, so that a long chain
/// of links needs no deep stack.
struct DeepCopies {
  /// What makes two instances the same object: their key, where they were read from a store, since each
  /// read of a link outside of a scope makes a new instance.
  private enum Identity: Hashable {
    case instance(ObjectIdentifier)
    case stored(ObjectIdentifier, key: [UInt8])
  }

  private var copies: [Identity: ObjectBase] = [:]
  private var pending: [(original: ObjectBase, copy: ObjectBase)] = []

  private static func identity(of object: ObjectBase) -> Identity {
    let type = Swift.type(of: object)
    guard !(object is EmbeddedObject), let binding = try? object._context?.store?.binding(of: type),
      let key = try? binding.key(of: object)
    else { return .instance(ObjectIdentifier(object)) }
    return .stored(ObjectIdentifier(type), key: key)
  }

  /// The copy of an object, which may not have its values yet.
  mutating func copy<Element: ObjectBase>(of original: Element) -> Element {
    let identity = Self.identity(of: original)
    if let known = copies[identity] as? Element { return known }
    let copy = Swift.type(of: original).init()
    Misfits.copy(from: original, to: copy)
    copies[identity] = copy
    let descriptor = original.descriptor
    // Before the other values, since a set tells objects apart by it.
    for index in descriptor.primaryKey {
      copy.setValue(original.value(of: descriptor.properties[index]), of: descriptor.properties[index])
    }
    // Held until the end, so that no other object gets the address of an original.
    pending.append((original, copy))
    return copy
  }

  mutating func fill() {
    var next = 0
    while next < pending.count {
      let (original, copy) = pending[next]
      next += 1
      for property in original.descriptor.properties where property.access != .none {
        if original.hasUnknownValue(of: property) {
          copy.keepUnknownValue(of: property, like: original)
          continue
        }
        let value = original.value(of: property)
        copy.setValue((value as? any DeepCopyable)?.deepCopy(&self) ?? value, of: property)
      }
    }
  }
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

extension List: DeepCopyable {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    let (elements, failure) = watching { map { element in Self.copy(element, &copies) } }
    let result = List(elements)
    result.noteUnread(failure)
    return result
  }

  private static func copy(_ element: Element, _ copies: inout DeepCopies) -> Element {
    (element as? any DeepCopyable)?.deepCopy(&copies) as? Element ?? element
  }
}

extension MutableSet: DeepCopyable {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    let (elements, failure) = watching {
      map { element in (element as? any DeepCopyable)?.deepCopy(&copies) as? Element ?? element }
    }
    let result = MutableSet(elements)
    result.noteUnread(failure)
    return result
  }
}

extension Map: DeepCopyable {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    let result = Map()
    let (entries, failure) = watching { Array(self) }
    for (key, value) in entries {
      result[key] = (value as? any DeepCopyable)?.deepCopy(&copies) as? Value ?? value
    }
    result.noteUnread(failure)
    return result
  }
}
