/// The type of a column, which determines how a record stores one property.
///
/// The raw values are part of the on-disk format and are never reused.
public struct ColumnType: Sendable, Hashable {
  /// The collection that contains the values.
  public enum Container: UInt8, Sendable, CaseIterable {
    /// No collection: a single value.
    case none = 0
    /// A ``List``.
    case list = 1
    /// A ``MutableSet``.
    case set = 2
    /// A ``Map``.
    case map = 3
  }

  /// The kind of the value, or of each element.
  public var kind: Kind
  /// A Boolean value that indicates whether the value, or each element, may be nil.
  public var isOptional: Bool
  /// The collection that contains the values.
  public var container: Container
  /// The name of the type of a linked or embedded object.
  public var target: String?

  package init(_ kind: Kind, isOptional: Bool = false, container: Container = .none, target: String? = nil) {
    self.kind = kind
    self.isOptional = isOptional
    self.container = container
    self.target = target
  }
}

extension ColumnType: CustomStringConvertible {
  /// The type in Swift's notation: `Int`, `String?`, `List<Dog>`.
  public var description: String {
    var element = target ?? kind.facts.swiftName
    switch container {
    case .none:
      if isOptional { element += "?" }
      return element
    case .list: return "List<\(element)\(isOptional ? "?" : "")>"
    case .set: return "MutableSet<\(element)\(isOptional ? "?" : "")>"
    case .map: return "Map<String, \(element)\(isOptional ? "?" : "")>"
    }
  }
}

extension ColumnType {
  /// The size of the column's slot in a record, in bytes; `nil` for a column of varying length.
  var slotWidth: Int? { container == .none ? kind.fixedWidth : nil }
  /// Whether values of the column link to objects of other trees.
  var isLink: Bool { kind == .link }
  /// Whether records contain the column.
  package var isStored: Bool { kind != .linkingObjects }
  /// Whether an index can include the column.
  var isIndexable: Bool { container == .none && kind.facts.isIndexable }

  /// Whether the column is a link to at most one object. A unique index may include such a column.
  package var isToOneLink: Bool { kind == .link && container == .none }

  /// Whether the column may be part of a primary key.
  var canBePrimaryKey: Bool { container == .none && kind.facts.canBePrimaryKey }
  /// Whether each object has a different generated value in the property until a value is assigned.
  var isGenerated: Bool { container == .none && !isOptional && kind.facts.isGenerated }
}
