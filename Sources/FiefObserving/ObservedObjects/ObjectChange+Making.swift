import FiefCore
import LMDB

extension ObjectChange where T: ObjectBase {
  /// Converts a follower's change to a change for an observer.
  ///
  /// - Parameters:
  ///   - key: the object's key.
  ///   - type: the class of the object in the change.
  ///   - scope: a scope of the state that the follower evaluated last.
  /// - Throws: ``FiefError`` of code `unknownType` if the store does not have the class, or `damagedRecord`
  ///   if a record is damaged.
  static func make(
    _ change: ObservedObjectChange,
    of key: ObjectKey,
    as type: T.Type,
    in scope: AccessScope
  ) throws -> ObjectChange {
    guard case .changed(let columns, let old, _) = change else { return .deleted }
    let binding = try scope.store.binding(of: type)
    guard let object = try key.bytes.withUnsafeBytes({ try scope.object(of: binding, key: $0) }) as? T else {
      return .deleted
    }
    let former = try key.bytes.withUnsafeBytes { key in
      try old.withUnsafeBytes { try binding.decode(key: key, record: $0, context: scope.context) }
    }
    let properties = binding.descriptor.properties.filter { property in
      binding.table.entry.id(ofColumnNamed: property.column).map(columns.contains) ?? false
    }
    return .change(object, properties.map { PropertyChange($0, from: former, to: object) })
  }
}

extension PropertyChange {
  fileprivate init(_ property: PropertyDescriptor, from old: ObjectBase, to new: ObjectBase) {
    name = property.name
    newValue = Self.plain(new.value(of: property))
    // The kept state does not contain the elements of a collection.
    let isKept = property.type.container == .none && property.type.isStored
    oldValue = isKept ? Self.plain(old.value(of: property)) : nil
  }

  /// Unwraps an optional value.
  package static func plain(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalValue else { return value }
    return optional.containedValue
  }
}
