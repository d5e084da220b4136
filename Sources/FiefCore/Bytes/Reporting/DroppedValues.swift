/// Values that a migration has dropped because the classes no longer have their property or type.
///
/// To the store, a property with a new name in the code is a different property. Use
/// ``Migration/renameProperty(onType:from:to:)`` and ``Migration/renameType(from:to:)`` to keep the values of
/// renamed properties and types.
public struct DroppedValues: Sendable, Hashable, CustomStringConvertible {
  /// The name of the type.
  public let type: String
  /// The name of the property; `nil` if the type itself was removed, with all of its objects.
  public let property: String?
  /// The possible new names: new properties of the same type, or new types with its properties.
  public let likelyNames: [String]

  package init(type: String, property: String?, likelyNames: [String]) {
    self.type = type
    self.property = property
    self.likelyNames = likelyNames
  }

  /// A sentence that names the dropped values and explains how to keep them if the property or the type was
  /// renamed.
  public var description: String {
    "\(what) were dropped. If the \(property == nil ? "type" : "property") was renamed, restore a backup from "
      + "before the migration and add to the migration block: \(call)"
  }

  /// A sentence about the values that a migration without a block will drop.
  package var warning: String { "a higher version alone drops \(what); if it was renamed, \(rename)" }

  private var what: String { property.map { "the values of \(type).\($0)" } ?? "the objects of \(type)" }

  /// A sentence that explains how a migration block keeps the values.
  package var rename: String { "the migration block keeps them: \(call)" }

  private var call: String {
    let names = likelyNames.prefix(3).map { "\"\($0)\"" }
    let new = names.isEmpty ? "its new name" : names.joined(separator: " or ")
    guard let property else { return "migration.renameType(from: \"\(type)\", to: \(new))" }
    return "migration.renameProperty(onType: \"\(type)\", from: \"\(property)\", to: \(new))"
  }
}
