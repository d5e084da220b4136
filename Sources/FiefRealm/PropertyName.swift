import Fief

/// Returns the names of the properties along a key path, separated by dots. The name is empty if the key path
/// does not lead to a persisted property.
///
/// ```swift
/// _name(for: \Dog.owner?.name)  // "owner.name"
/// ```
public func _name<Root: ObjectBase>(for keyPath: PartialKeyPath<Root>) -> String {
  guard (try? TypedPath.path(keyPath)) != nil else { return "" }
  return PropertyOrder(keyPath: keyPath).keyPath
}
