import Fief

/// The values of a property of all elements, by a key path.
private func values(_ keyPath: String, of elements: some Sequence, _ named: (String) -> [Any]) -> [Any] {
  guard keyPath.contains(".") else { return named(keyPath) }
  return elements.compactMap { $0 as? ObjectBase }.map { $0.value(forKeyPath: keyPath) as Any }
}

extension List {
  /// The values of a property that links lead to from each object, in their order: `"home.city"`.
  ///
  /// Where there is no such property it is nil, which is `StoreEvent.misuse(_:)`.
  public func value(forKeyPath keyPath: String) -> [Any] {
    values(keyPath, of: self) { value(forKey: $0) }
  }
}

extension MutableSet {
  /// The values of a property that links lead to from each object: `"home.city"`.
  ///
  /// Where there is no such property it is nil, which is `StoreEvent.misuse(_:)`.
  public func value(forKeyPath keyPath: String) -> [Any] {
    values(keyPath, of: self) { value(forKey: $0) }
  }
}

extension Results {
  /// The values of a property that links lead to from each object, in their order: `"home.city"`.
  ///
  /// Where there is no such property it is nil, which is `StoreEvent.misuse(_:)`.
  public func value(forKeyPath keyPath: String) -> [Any] {
    values(keyPath, of: self) { value(forKey: $0) }
  }
}
