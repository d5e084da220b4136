import FiefCore
import Foundation

/// The operand of a field operation for one property.
struct FieldOperand {
  typealias Encoded = (operation: FieldEdit.Operation, targets: [FieldEdit.Target])

  let place: FieldPlace
  let property: PropertyDescriptor
  let owner: ObjectBinding
  let column: ColumnEntry

  private var type: ColumnType { property.type }
  private var conversion: ValueConversion { place.conversion }

  /// Returns the payload of a value other than `nil`.
  private func encoded(_ value: any Persistable) throws -> [UInt8] {
    switch type.kind {
    case .any, .link, .embedded, .linkingObjects:
      let graph = try place.encoder.neededGraph()
      graph.operandTable = place.encoder.binding.table
      return try graph.payload(of: value, of: property)
    default:
      var writer = ValueWriter()
      try value._generated()._append(to: &writer)
      return writer.bytes
    }
  }

  /// - Throws: ``FiefError`` of code `invalidValue` or `missingValue`.
  func operation(_ operand: FieldOperation.Operand) throws -> Encoded {
    switch operand {
    case .value(let value): return (.set(try payload(of: value)), [])
    case .key(let key): return try link(toKey: key)
    case .increment(let amount): return (.increment(try increment(amount)), [])
    case .timestamp: return (try timeOfCommit(), [])
    case .elements(let elements, let isUnion):
      try checkElements()
      return (try change(isUnion, try self.elements(of: elements, isUnion: isUnion)), [])
    case .delete: return (.set(try defaultPayload()), [])
    case .named(let value): return try named(value)
    }
  }

  private func named(_ value: FieldValue) throws -> Encoded {
    switch value {
    case .value(let value): try set(value)
    case .increment(let amount): try operation(.increment(.integer(Int64(amount))))
    case .incrementBy(let amount): try operation(.increment(.floating(amount)))
    case .incrementByDecimal(let amount): try operation(.increment(.decimal(amount)))
    case .timestamp: try operation(.timestamp)
    case .union(let elements): try change(isUnion: true, elements)
    case .remove(let elements): try change(isUnion: false, elements)
    case .delete: try operation(.delete)
    }
  }

  // MARK: Values

  private func payload(of value: any Persistable) throws -> [UInt8]? {
    guard value._isNil else { return try encoded(value) }
    guard type.isOptional || type.container != .none || type.kind == .link || type.kind == .any else {
      throw conversion.error(.missingValue, "The value is required and cannot be nil.")
    }
    return nil
  }

  private func set(_ value: AnyRealmValue) throws -> Encoded {
    if type.isToOneLink {
      switch value {
      case .none: return (.set(nil), [])
      case .object: break
      default: return try link(toKey: value.plain)
      }
    }
    if type.kind == .link, type.container == .list || type.container == .set {
      guard let values = value.listValue else {
        throw conversion.wrongType(value.plain, expected: "a list of objects or primary keys")
      }
      let (elements, targets) = try linkElements(values)
      return (.set(FieldEdit.payload(of: elements, type)), targets)
    }
    let given: Any = type.kind == .any ? value : value.plain
    return (.set(try payload(of: try property.field.convert(given, conversion))), [])
  }

  /// Returns the payload of the property in a new object of the class.
  private func defaultPayload() throws -> [UInt8]? {
    var payload: [UInt8]?
    try place.encoder.defaults(of: owner).withUnsafeBytes { record in
      try owner.table.payload(of: column, in: try owner.table.view(record)) {
        payload = $0.map { [UInt8]($0) }
      }
    }
    return payload
  }

  // MARK: Links

  private func target() throws -> ObjectBinding {
    guard type.kind == .link, let target = try type.target.flatMap({ try place.encoder.binding(named: $0) })
    else { throw conversion.error(.invalidValue, "Only a link can refer to an object with a key.") }
    return target
  }

  private func target(_ key: Any) throws -> FieldEdit.Target {
    let binding = try target()
    do {
      let key = try binding.key(fromPrimaryKey: key, store: place.encoder.core.name)
      return FieldEdit.Target(table: binding.table, key: key.withUnsafeBytes { [UInt8]($0) })
    } catch var error as FiefError {
      error.type = conversion.type
      error.property = place.name
      throw error
    }
  }

  private func link(toKey key: Any) throws -> Encoded {
    guard type.isToOneLink else { throw conversion.wrongType(key, expected: "\(type)") }
    let target = try target(key)
    return (.set(target.key), [target])
  }

  private func linkElements(_ values: [AnyRealmValue], isUnion: Bool = true) throws -> (
    [[UInt8]], [FieldEdit.Target]
  ) {
    var targets: [FieldEdit.Target] = []
    let elements = try values.map { value -> [UInt8] in
      guard case .object(let object) = value else {
        let target = try target(value.plain)
        targets.append(target)
        return (type.isOptional ? [1] : []) + target.key
      }
      let elements = try self.elements(of: try property.field.convert([object], conversion), isUnion: isUnion)
      return elements.first ?? []
    }
    return (elements, targets)
  }

  // MARK: Numbers and times

  /// The type of a single value, without its optional.
  private var valueType: Any.Type {
    let type = property.field.valueType
    return (type as? any TracedOptional.Type)?.wrappedType ?? type
  }

  private func increment(_ amount: FieldIncrement.Amount) throws -> FieldIncrement {
    let value: Any
    switch amount {
    case .integer(let amount): value = amount
    case .floating(let amount):
      guard amount.isFinite else { throw conversion.outOfRange(amount, expected: "a finite number") }
      value = amount
    case .decimal(let amount):
      guard !amount.isNaN else { throw conversion.outOfRange(amount, expected: "a finite number") }
      value = amount
    }
    func integer(_ range: ClosedRange<Int64>? = nil) throws -> FieldIncrement {
      FieldIncrement(amount: .integer(try conversion.integer(value, Int64.self)), range: range)
    }
    let type = valueType
    if type == Int.self || type == Int64.self || type == Int32.self || type == Int16.self || type == Int8.self
    {
      return try integer()
    }
    if type == UInt8.self { return try integer(0...Int64(UInt8.max)) }
    if type == UInt16.self { return try integer(0...Int64(UInt16.max)) }
    if type == UInt32.self { return try integer(0...Int64(UInt32.max)) }
    if type == UInt.self || type == UInt64.self {
      var increment = try integer()
      increment.isLargeUnsigned = true
      return increment
    }
    if type == Double.self || type == Float.self {
      return FieldIncrement(amount: .floating(try conversion.double(value)))
    }
    if type == Decimal.self { return FieldIncrement(amount: .decimal(try conversion.decimal(value))) }
    guard type == AnyRealmValue.self else {
      throw conversion.error(
        .invalidValue,
        "Only numbers can be incremented.",
        details: ["the property's type: \(property.type)"]
      )
    }
    return FieldIncrement(amount: amount)
  }

  private func timeOfCommit() throws -> FieldEdit.Operation {
    guard type.container == .none, valueType == Date.self || valueType == AnyRealmValue.self else {
      throw conversion.error(
        .invalidValue,
        "Only a date can be set to the time of the commit.",
        details: ["the property's type: \(property.type)"]
      )
    }
    return .timestamp
  }

  // MARK: Elements

  private func checkElements() throws {
    guard type.container == .list || type.container == .set, type.kind != .embedded else {
      throw conversion.error(
        .invalidValue,
        "Only lists and sets of values and links support adding and removing elements.",
        details: ["the property's type: \(property.type)"]
      )
    }
  }

  /// Returns the elements of a collection, encoded as in a payload.
  ///
  /// - Parameter isUnion: whether the elements are added, so that objects among them must be in the store.
  private func elements(of values: any Persistable, isUnion: Bool = true) throws -> [[UInt8]] {
    place.encoder.graph?.comparesOnly = !isUnion
    defer { place.encoder.graph?.comparesOnly = false }
    var elements: [[UInt8]] = []
    try encoded(values).withUnsafeBytes { payload in
      try ElementRun(payload: payload).forEach(type: type) { _, element in elements.append([UInt8](element)) }
    }
    return elements
  }

  private func change(_ isUnion: Bool, _ elements: [[UInt8]]) throws -> FieldEdit.Operation {
    isUnion ? .union(elements) : .remove(elements)
  }

  private func change(isUnion: Bool, _ values: [AnyRealmValue]) throws -> Encoded {
    try checkElements()
    if type.kind == .link {
      let (elements, targets) = try linkElements(values, isUnion: isUnion)
      // No collection contains an object that does not exist.
      return (try change(isUnion, elements), isUnion ? targets : [])
    }
    let given = values.map { type.kind == .any ? $0 as Any : $0.plain }
    let elements = try elements(of: try property.field.convert(given, conversion), isUnion: isUnion)
    return (try change(isUnion, elements), [])
  }
}

extension AnyRealmValue {
  /// The value as a native Swift value, or `NSNull` for `.none`.
  fileprivate var plain: Any {
    switch self {
    case .none: NSNull()
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .list(let values): values.map(\.plain)
    case .dictionary(let values): values.mapValues(\.plain)
    case .object(let object): object
    }
  }
}
