import Fief

extension ObjectBase {
  /// The value of a property by its name, as `object["name"]` has it.
  public func value(forKey key: String) -> Any? { self[key] }

  /// Assigns a property by its name, as `object["name"]` does.
  public func setValue(_ value: Any?, forKey key: String) { self[key] = value }

  /// The value of a property of an object that links lead to: `"home.city"`; nil where one of them is nil.
  ///
  /// The value of a property that does not exist is nil, which is reported as `StoreEvent.misuse(_:)`.
  public func value(forKeyPath keyPath: String) -> Any? {
    guard let (object, name) = last(of: keyPath) else { return nil }
    return object[name]
  }

  /// Assigns a property of an object that links lead to: `"home.city"`; does nothing where one of them is nil.
  ///
  /// A value that does not fit changes nothing, and is reported as `StoreEvent.misuse(_:)`.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard let (object, name) = last(of: keyPath) else { return }
    object[name] = value
  }

  private func last(of keyPath: String) -> (ObjectBase, String)? {
    var object = self
    var names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    while names.count > 1, let name = names.popFirst() {
      guard let value = object[name] else { return nil }
      guard let next = value as? ObjectBase else {
        object.report(
          FiefError(
            .unknownProperty,
            "A key path leads on behind a property that is no object.",
            type: Swift.type(of: object).className(),
            property: keyPath
          )
        )
        return nil
      }
      object = next
    }
    return names.first.map { (object, $0) }
  }

  private func report(_ error: FiefError) {
    if let store = originStore { store.reportMisuse(error) } else { Misuse.report(error) }
  }

  /// Not available: a list by its name has its own type.
  @available(*, unavailable, message: "a list by its name has its type: object[name] as? List<Dog>")
  public func dynamicList(_ propertyName: String) -> List<Object> { List() }

  /// Not available: a set by its name has its own type.
  @available(*, unavailable, message: "a set by its name has its type: object[name] as? MutableSet<Dog>")
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<Object> { MutableSet() }

  /// Not available: a map by its name has its own type.
  @available(*, unavailable, message: "a map by its name has its type: object[name] as? Map<String, Dog?>")
  public func dynamicMap<Key>(_ propertyName: String) -> Map<Key, Object?> { Map() }
}
