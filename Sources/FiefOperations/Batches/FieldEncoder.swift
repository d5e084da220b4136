import FiefCore
import Foundation

/// Encodes field operations on the caller's thread. Names become columns and values become payloads, with the
/// same conversions and checks as for an assignment.
struct FieldEncoder {
  let core: StoreCore
  let binding: ObjectBinding
  /// The save to which the operations belong. It tracks objects among the values. `nil` as long as no value
  /// is known to contain objects.
  let graph: ObjectGraph?

  /// Thrown if a value contains objects but there is no graph.
  struct NeedsGraph: Error {}

  func neededGraph() throws -> ObjectGraph {
    guard let graph else { throw NeedsGraph() }
    return graph
  }

  /// - Throws: ``FiefError`` of code `unknownProperty`, `invalidValue` or `missingValue`, with the name of
  ///   the property.
  func edits(_ operations: [FieldOperation]) throws -> FieldEdits {
    FieldEdits(try operations.map { try edit($0) }, of: binding.table)
  }

  /// Returns the record of a new object with the defaults of its class, without the primary key. Links are
  /// `nil`.
  func defaults() throws -> [UInt8] { try defaults(of: binding) }

  private func edit(_ operation: FieldOperation) throws -> FieldEdit {
    let names: [String]
    switch operation.place {
    case .name(let name):
      // The name of a column may contain a dot.
      names =
        binding.descriptor.assignable(name) != nil
        ? [name] : name.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    case .path(let keyPath): names = try self.names(of: keyPath)
    }
    let name = names.joined(separator: ".")
    return try edit(operation.operand, names[...], binding, FieldPlace(encoder: self, name: name))
  }

  private func names(of keyPath: AnyKeyPath) throws -> [String] {
    let path = try? TypedPath.path(keyPath)
    let names = path?.steps.compactMap { step -> String? in
      guard case .property(let name) = step else { return nil }
      return name
    }
    guard let path, let names, !names.isEmpty, names.count == path.steps.count else {
      throw FiefError(
        .unknownProperty,
        "The key path does not lead to a persisted property.",
        store: core.name,
        type: binding.table.name,
        details: ["key path: \(keyPath)"]
      )
    }
    return names
  }

  private func edit(
    _ operand: FieldOperation.Operand,
    _ names: ArraySlice<String>,
    _ owner: ObjectBinding,
    _ place: FieldPlace
  ) throws -> FieldEdit {
    let name = names.first ?? ""
    guard let property = owner.descriptor.assignable(name),
      let column = owner.table.entry.column(named: property.column)
    else { throw place.conversion.unknownProperty(name, of: owner.descriptor) }
    if owner.descriptor.derived.contains(where: { $0.column == property.column }) {
      throw place.conversion.error(.invalidValue, "The store computes a derived property itself.")
    }
    guard names.count > 1 else {
      if property.isPrimaryKey {
        throw place.conversion.error(
          .invalidValue,
          "The primary key of a stored object cannot be changed."
        )
      }
      let value = FieldOperand(place: place, property: property, owner: owner, column: column)
      let (operation, targets) = try value.operation(operand)
      return FieldEdit(column: column, name: place.name, operation: operation, targets: targets)
    }
    guard property.type.kind == .embedded, property.type.container == .none,
      let inner = try property.type.target.flatMap({ try binding(named: $0) })
    else {
      throw place.conversion.error(
        .invalidValue,
        "Only properties of the object and of its embedded objects can be changed."
      )
    }
    let edit = try edit(operand, names.dropFirst(), inner, place)
    let missing = edit.makesOwner ? try defaults(of: inner) : nil
    let edits = FieldEdits([edit], of: inner.table)
    return FieldEdit(column: column, name: place.name, operation: .embedded(edits, missing: missing))
  }

  /// Returns the binding of the class with a type name.
  func binding(named name: String) throws -> ObjectBinding? {
    try core.descriptor(named: name).map { try core.binding(of: $0.type) }
  }

  /// Returns the record of a new object of a class.
  func defaults(of binding: ObjectBinding) throws -> [UInt8] {
    let object = binding.descriptor.type.init()
    object.withFields { base in
      for property in binding.descriptor.properties where property.type.isToOneLink {
        property.field.reset(base + property.offset)
      }
    }
    return try neededGraph().record(of: object, isEmbedded: binding.table.records == nil)
  }
}

/// The property of an operation, for errors.
struct FieldPlace {
  let encoder: FieldEncoder
  /// The name that the caller passed.
  let name: String

  var conversion: ValueConversion {
    var conversion = ValueConversion()
    conversion.store = encoder.core.name
    conversion.type = encoder.binding.table.name
    conversion.property = name
    return conversion
  }
}

extension FieldEdit {
  /// Whether the edit creates a missing embedded object.
  fileprivate var makesOwner: Bool {
    switch operation {
    case .set(let payload): payload != nil
    case .remove: false
    case .increment, .timestamp, .union: true
    case .embedded(_, let missing): missing != nil
    }
  }
}
