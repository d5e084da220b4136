import Fief

/// The names of the properties that a key path goes through, with dots between them; empty where it leads to none that is
/// persisted.
///
/// ```swift
/// _name(for: \Dog.owner?.name)  // "owner.name"
/// ```
public func _name<Root: ObjectBase>(for keyPath: PartialKeyPath<Root>) -> String {
  guard (try? TypedPath.path(keyPath)) != nil else { return "" }
  return PropertyOrder(keyPath: keyPath).keyPath
}
