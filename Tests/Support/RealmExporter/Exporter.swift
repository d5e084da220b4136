import Foundation
import Realm
import RealmSwift

/// Writes all objects of a realm as JSON lines.
struct RealmExporter {
  private let realm: Realm

  init(_ configuration: Realm.Configuration) throws {
    realm = try Realm(configuration: configuration).freeze()
  }

  /// - Returns: the numbers of objects by class.
  @discardableResult
  func export(to url: URL) throws -> [String: Int] {
    let partial = url.appendingPathExtension("partial")
    _ = FileManager.default.createFile(atPath: partial.path, contents: nil)
    let file = try FileHandle(forWritingTo: partial)
    func write(_ line: [String: Any]) throws {
      try file.write(contentsOf: JSONSerialization.data(withJSONObject: line) + Data("\n".utf8))
    }
    try write(["$export": UUID().uuidString])
    var counts: [String: Int] = [:]
    for schema in realm.schema.objectSchema where !schema.isEmbedded {
      let objects = realm.dynamicObjects(schema.className)
      counts[schema.className] = objects.count
      for (place, object) in objects.enumerated() {
        try autoreleasepool {
          var line = values(of: object, schema)
          line["$type"] = schema.className
          // An object without a primary key is numbered by its place.
          if schema.primaryKeyProperty == nil { line["$key"] = place + 1 }
          try write(line)
        }
      }
    }
    try write(["$counts": counts])
    try file.synchronize()
    try file.close()
    if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
    try FileManager.default.moveItem(at: partial, to: url)
    return counts
  }

  private func values(of object: Object, _ schema: ObjectSchema) -> [String: Any] {
    values(of: schema) { object[$0] }
  }

  private func values(of schema: ObjectSchema, _ value: (String) -> Any?) -> [String: Any] {
    var values: [String: Any] = [:]
    for property in schema.properties where property.type != .linkingObjects {
      let value = value(property.name)
      if property.isMap, let map = value as? any ExportedMap {
        values[property.columnName] = map.entries.mapValues { json($0, property.type) }
      } else if property.isArray || property.isSet, let elements = value as? any Sequence {
        values[property.columnName] = all(elements).map { json($0, property.type) }
      } else {
        values[property.columnName] = json(value as Any, property.type)
      }
    }
    return values
  }

  private func json(_ value: Any, _ type: PropertyType) -> Any {
    if case Optional<Any>.none = value { return NSNull() }
    if type == .any {
      // Read by its name, the value has its Objective-C form.
      return any(value as? AnyRealmValue ?? ObjectiveCSupport.convert(value: value as AnyObject as? RLMValue))
    }
    switch value {
    case is NSNull: return NSNull()
    case let object as Object: return key(of: object)
    // An embedded object is no Object.
    case let part as EmbeddedObject: return values(of: part.objectSchema) { part[$0] }
    case let date as Date: return "@\(date.timeIntervalSinceReferenceDate)"
    case let data as Data: return data.base64EncodedString()
    case let uuid as UUID: return uuid.uuidString
    case let id as ObjectId: return id.stringValue
    case let decimal as Decimal128: return decimal.stringValue
    // Collections have elements of the declared type.
    case let value as any PersistableEnum: return json(raw(value), type)
    case let value as any CustomPersistable: return json(value.persistableValue, type)
    case let value as any FailableCustomPersistable: return json(value.persistableValue, type)
    default: return type == .float || type == .double ? number(value) : value
    }
  }

  private func raw<Value: PersistableEnum>(_ value: Value) -> Any { value.rawValue }

  /// JSON has no numbers that are not finite.
  private func number(_ value: Any) -> Any {
    guard let double = (value as? NSNumber)?.doubleValue, !double.isFinite else { return value }
    return double.isNaN ? "NaN" : double < 0 ? "-Infinity" : "Infinity"
  }

  /// The primary key of an object, or its number.
  private func key(of object: Object) -> Any {
    let schema = object.objectSchema
    guard realm.schema[schema.className] != nil else { return NSNull() }
    if let key = schema.primaryKeyProperty { return json(object[key.name] as Any, key.type) }
    // Realm finds the place by the row, without reading other objects.
    return realm.objects(Swift.type(of: object)).index(of: object).map { $0 + 1 as Any } ?? NSNull()
  }

  /// A value of any type, with its kind if JSON has none for it.
  private func any(_ value: AnyRealmValue) -> Any {
    switch value {
    case .none: return NSNull()
    case .int(let value): return value
    case .bool(let value): return value
    case .string(let value): return value
    case .float(let value): return ["$float": number(value)]
    case .double(let value): return ["$double": number(value)]
    case .data(let value): return ["$data": json(value, .data)]
    case .date(let value): return ["$date": json(value, .date)]
    case .objectId(let value): return ["$objectId": json(value, .objectId)]
    case .decimal128(let value): return ["$decimal": json(value, .decimal128)]
    case .uuid(let value): return ["$uuid": json(value, .UUID)]
    case .object(let value):
      return ["$object": ["type": value.objectSchema.className, "key": key(of: value)]]
    case .list(let values): return values.map { any($0) }
    case .dictionary(let values):
      return ["$dictionary": values.entries.mapValues { ($0 as? AnyRealmValue).map { any($0) } ?? NSNull() }]
    @unknown default: return NSNull()
    }
  }
}

private func all<S: Sequence>(_ elements: S) -> [Any] { elements.map { $0 as Any } }

private protocol ExportedMap { var entries: [String: Any] { get } }

extension Map: ExportedMap where Key == String {
  fileprivate var entries: [String: Any] {
    Dictionary(uniqueKeysWithValues: keys.map { ($0, self[$0].map { $0 as Any } ?? NSNull()) })
  }
}
