// Conformances of lists, sets and maps that are looked up at run time, to protocols of lower layers.

extension List: LinkedElement {
  static var linkedType: ObjectBase.Type? { Element.self as? ObjectBase.Type }
}

extension MutableSet: LinkedElement {
  static var linkedType: ObjectBase.Type? { Element.self as? ObjectBase.Type }
}

extension Map: LinkedElement {
  static var linkedType: ObjectBase.Type? {
    (Value.self as? any TracedLink.Type)?.tracedType ?? Value.self as? ObjectBase.Type
  }
}

extension List: ComparableCollection {
  func comparableText() -> String { ComparableText.text(ofOrdered: self) }
}

extension MutableSet: ComparableCollection {
  func comparableText() -> String { ComparableText.text(ofUnordered: self) }
}

extension Map: ComparableCollection {
  func comparableText() -> String {
    let entries = map { "\($0.key.debugDescription): \(ComparableText.text(of: $0.value))" }
    return "[" + entries.sorted().joined(separator: ", ") + "]"
  }
}

extension List: AnyValueCollection where Element == AnyRealmValue {
  var asValue: AnyRealmValue { .list(Array(self)) }
}

extension Map: AnyValueCollection where Key == String, Value == AnyRealmValue {
  var asValue: AnyRealmValue { .dictionary(dictionary) }
}

extension List: LinkCollection {
  func dropElements(keys: Set<[UInt8]>?, _ isDeleted: (ObjectBase) -> Bool) {
    drop(keys: keys) { ($0 as? ObjectBase).map(isDeleted) ?? false }
  }
}

extension MutableSet: LinkCollection {
  func dropElements(keys: Set<[UInt8]>?, _ isDeleted: (ObjectBase) -> Bool) {
    drop(keys: keys) { ($0 as? ObjectBase).map(isDeleted) ?? false }
  }
}

extension Map: LinkCollection {
  func dropElements(keys: Set<[UInt8]>?, _ isDeleted: (ObjectBase) -> Bool) {
    drop(keys: keys) { ($0 as? ObjectBase).map(isDeleted) ?? false }
  }
}

extension List: PartHolder {
  func step(to part: EmbeddedObject) -> PartPath.Step? {
    enumerated().first { ($0.element as Any) as? EmbeddedObject === part }.map { .element($0.offset) }
  }
  func part(at step: PartPath.Step) -> EmbeddedObject? {
    guard case .element(let index) = step, index < count else { return nil }
    return (self[index] as Any) as? EmbeddedObject
  }
}

extension Map: PartHolder {
  func step(to part: EmbeddedObject) -> PartPath.Step? {
    for key in keys where (self[key] as Any) as? EmbeddedObject === part {
      return .entry(key)
    }
    return nil
  }
  func part(at step: PartPath.Step) -> EmbeddedObject? {
    guard case .entry(let key) = step else { return nil }
    return (self[key] as Any) as? EmbeddedObject
  }
}

extension List: DeepCopyable {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    if Element.self == AnyRealmValue.self { copies.check(plainValues) }
    let (elements, failure) = watching { compactMap { element in copies.element(element) } }
    let result = List(elements)
    result.noteUnread(failure)
    return result
  }
}

extension MutableSet: DeepCopyable {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    if Element.self == AnyRealmValue.self { copies.check(elements) }
    let (elements, failure) = watching { compactMap { element in copies.element(element) } }
    let result = MutableSet(elements)
    result.noteUnread(failure)
    return result
  }
}

extension Map: DeepCopyable {
  func deepCopy(_ copies: inout DeepCopies) -> Any {
    let result = Map()
    if Value.self == AnyRealmValue.self { copies.check(entries.values) }
    let (entries, failure) = watching { Array(self) }
    for (key, value) in entries {
      result[key] = copies.element(value) ?? Value._linked(nil)
    }
    result.noteUnread(failure)
    return result
  }
}

extension List: ThreadBound {}
extension MutableSet: ThreadBound {}
extension Map: ThreadBound {}

extension List: AnyValueHolder where Element == AnyRealmValue {
  var hasObject: Bool { contains(where: \.hasObject) }
}

extension MutableSet: AnyValueHolder where Element == AnyRealmValue {
  var hasObject: Bool { contains(where: \.hasObject) }
}

extension Map: AnyValueHolder where Key == String, Value == AnyRealmValue {
  var hasObject: Bool { values.contains(where: \.hasObject) }
}
