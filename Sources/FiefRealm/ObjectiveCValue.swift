import Fief
import Foundation

/// Converts values to the Objective-C forms in which Realm returns them when a property is read by its name.
enum ObjectiveCValue {
  /// Returns the raw value of an enumeration, the stored value of a custom type, the contents of an
  /// `AnyRealmValue`, or a number as an `NSNumber`, which can be cast to each Swift type that can represent
  /// the value. Other values are returned unchanged.
  static func of(_ value: Any?) -> Any? {
    switch value {
    case nil: nil
    case is Bool: value
    case let value as any PersistableEnum: of(raw(value))
    case let value as any _CustomPersistable: of(stored(value))
    case let value as AnyRealmValue: contents(value)
    case let value as Int: NSNumber(value: value)
    case let value as Int8: NSNumber(value: value)
    case let value as Int16: NSNumber(value: value)
    case let value as Int32: NSNumber(value: value)
    case let value as Int64: NSNumber(value: value)
    case let value as UInt: NSNumber(value: value)
    case let value as UInt8: NSNumber(value: value)
    case let value as UInt16: NSNumber(value: value)
    case let value as UInt32: NSNumber(value: value)
    case let value as UInt64: NSNumber(value: value)
    case let value as Float: NSNumber(value: value)
    case let value as Double: NSNumber(value: value)
    default: value
    }
  }

  private static func raw<Value: PersistableEnum>(_ value: Value) -> Any { value.rawValue }

  private static func stored<Value: _CustomPersistable>(_ value: Value) -> Any { value.persistableValue }

  private static func contents(_ value: AnyRealmValue) -> Any? {
    switch value {
    case .none: nil
    case .int(let value): NSNumber(value: value)
    case .bool(let value): value
    case .float(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .object(let value): value
    case .list, .dictionary: value
    }
  }
}
