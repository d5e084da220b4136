// The names are Realm's own, and its documentation describes them. Tests alone use this stand-in.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation
public import Realm

public final class ObjectId: RLMValue {
  public let stringValue: String

  public init(_ text: String) { stringValue = text }
}

public final class Decimal128: RLMValue {
  public let stringValue: String

  public init(_ text: String) { stringValue = text }
}

public enum AnyRealmValue {
  case none
  case int(Int)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case object(Object)
  case objectId(ObjectId)
  case decimal128(Decimal128)
  case uuid(UUID)
  case dictionary(Map<String, AnyRealmValue>)
  case list(List<AnyRealmValue>)
}

public struct ObjectiveCSupport {
  public static func convert(value: RLMValue?) -> AnyRealmValue {
    switch value {
    case let value as NSNumber:
      switch String(cString: value.objCType) {
      case "c", "B": .bool(value.boolValue)
      case "f": .float(value.floatValue)
      case "d": .double(value.doubleValue)
      default: .int(value.intValue)
      }
    case let value as NSString: .string("\(value)")
    case let value as NSData: .data(Data(referencing: value))
    case let value as NSDate:
      .date(Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
    case let value as NSUUID: UUID(uuidString: value.uuidString).map { .uuid($0) } ?? .none
    case let value as Object: .object(value)
    case let value as ObjectId: .objectId(value)
    case let value as Decimal128: .decimal128(value)
    case let value as RLMArray: .list(List(value.elements.map { convert(value: $0) }))
    case let value as RLMDictionary: .dictionary(Map(value.values.mapValues { convert(value: $0) }))
    default: .none
    }
  }
}

public protocol PersistableEnum: RawRepresentable {}

public protocol CustomPersistable {
  associatedtype PersistedType
  var persistableValue: PersistedType { get }
}

public protocol FailableCustomPersistable {
  associatedtype PersistedType
  var persistableValue: PersistedType { get }
}

public final class List<Element>: Sequence {
  private let elements: [Element]

  public init(_ elements: [Element]) { self.elements = elements }

  public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }
}

public final class MutableSet<Element>: Sequence {
  private let elements: [Element]

  public init(_ elements: [Element]) { self.elements = elements }

  public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }
}

public final class Map<Key: Hashable, Value> {
  private let values: [Key: Value]

  public init(_ values: [Key: Value]) { self.values = values }

  public var keys: [Key] { Array(values.keys) }

  public subscript(key: Key) -> Value? { values[key] }
}
