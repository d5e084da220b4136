import Fief
import Foundation

/// A column of a random schema.
struct QueryColumn: Sendable, Hashable {
  enum Kind: Int, CaseIterable, Sendable {
    case bool, int8, int16, int32, int, float, double, text, data, date, uuid, objectId, decimal, any

    /// The kinds whose values can be compared with those of this one.
    var family: Family {
      switch self {
      case .bool: .bool
      case .int8, .int16, .int32, .int, .float, .double, .decimal: .number
      case .text: .text
      case .data: .data
      case .date: .date
      case .uuid: .uuid
      case .objectId: .objectId
      case .any: .any
      }
    }

    /// The least and the greatest value of an integer.
    var bounds: ClosedRange<Int>? {
      switch self {
      case .int8: Int(Int8.min)...Int(Int8.max)
      case .int16: Int(Int16.min)...Int(Int16.max)
      case .int32: Int(Int32.min)...Int(Int32.max)
      case .int: Int.min...Int.max
      default: nil
      }
    }
  }

  enum Family: CaseIterable, Sendable { case bool, number, text, data, date, uuid, objectId, any, link }

  enum Container: CaseIterable, Sendable { case one, list, set, map }

  var name: String
  var kind: Kind
  var isOptional = false
  var container = Container.one

  /// The column as the element of its collection.
  var element: QueryColumn { QueryColumn(name: name, kind: kind, isOptional: isOptional) }

  /// The type of the property.
  var type: any Persistable.Type {
    switch kind {
    case .bool: form(Bool.self)
    case .int8: form(Int8.self)
    case .int16: form(Int16.self)
    case .int32: form(Int32.self)
    case .int: form(Int.self)
    case .float: form(Float.self)
    case .double: form(Double.self)
    case .text: form(String.self)
    case .data: form(Data.self)
    case .date: form(Date.self)
    case .uuid: form(UUID.self)
    case .objectId: form(ObjectId.self)
    case .decimal: form(Decimal.self)
    case .any:
      switch container {
      case .one: AnyRealmValue.self
      case .list: List<AnyRealmValue>.self
      case .set: MutableSet<AnyRealmValue>.self
      case .map: Map<String, AnyRealmValue>.self
      }
    }
  }

  private func form<Value: PersistableScalar>(_ value: Value.Type) -> any Persistable.Type {
    switch (container, isOptional) {
    case (.one, false): Value.self
    case (.one, true): Value?.self
    case (.list, false): List<Value>.self
    case (.list, true): List<Value?>.self
    case (.set, false): MutableSet<Value>.self
    case (.set, true): MutableSet<Value?>.self
    case (.map, false): Map<String, Value>.self
    case (.map, true): Map<String, Value?>.self
    }
  }
}

extension QueryColumn: CustomStringConvertible {
  var description: String {
    let value = "\(kind)\(isOptional ? "?" : "")"
    return container == .one ? "\(name): \(value)" : "\(name): \(container) of \(value)"
  }
}
