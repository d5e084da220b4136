/// Determines the properties in a key path. It applies the key path to an object whose properties record
/// their reads and return distinctive values.
///
/// A tracer is used on one thread, during one call.
// SAFETY: contexts are sendable and refer to a tracer. The contexts with a tracer are created here and
// released at the end of the call.
package final class PropertyTracer: ReadTracer {
  private var names: [String] = []
  /// The path to the first property with a single value that was read.
  private var firstValue: [String]?
  /// The object to which the next property must belong; `nil` after a value.
  private var next: ObjectBase?
  /// The value that the last property returned.
  private var last: Any?
  /// Whether the properties that were read form a chain, in which each property belongs to the object that
  /// the previous one returned.
  private var isChain = true
  /// The recorder of all reads, or `nil` if only the path is needed. If it is set, properties return their
  /// own values.
  private var reads: PropertyReads?

  /// Records that a property is read, and returns a value in place of the property's own value.
  override func value<Value>(at offset: Int, of object: ObjectBase, _ value: Value) -> Value {
    isChain = isChain && object === next
    next = nil
    guard let property = object.descriptor.property(at: offset) else {
      isChain = false
      return value
    }
    names.append(property.name)
    reads?.note(property, of: object)
    if isChain, firstValue == nil, property.type.container == .none, !property.type.isOfObjects {
      firstValue = names
    }
    var result = value
    if let type = Value.self as? any TracedLink.Type {
      let object = traced(type.tracedType)
      next = object
      reads?.lead(to: object)
      result = object as? Value ?? value
    } else if reads == nil, let standIn = TracedValue.standIn(for: Value.self) as? Value {
      result = standIn
    }
    last = result
    return result
  }

  private func traced(_ type: ObjectBase.Type) -> ObjectBase {
    let object = type.init()
    object._context = ObjectContext(tracer: self)
    object.markTraced(object.descriptor.properties)
    return object
  }

  /// Returns the query path for a key path.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if the key path does not lead to a persisted property.
  static func path(_ keyPath: AnyKeyPath) throws -> QueryPath {
    guard let root = Swift.type(of: keyPath).rootType as? ObjectBase.Type else {
      throw invalid(keyPath, type: nil)
    }
    return try path(keyPath, from: root) { ($0 as Any)[keyPath: keyPath] }
  }

  /// Returns the path to the property whose value `read` returns.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if `read` returns any other value.
  package static func path(
    _ keyPath: AnyKeyPath,
    from root: ObjectBase.Type,
    _ read: (ObjectBase) -> Any?
  ) throws -> QueryPath {
    let tracer = PropertyTracer()
    let object = tracer.traced(root)
    tracer.next = object
    let value = tracing { read(object) }
    guard tracer.isChain, let value, let last = tracer.last, TracedValue.isSame(value, last) else {
      if let value = value as? ObjectBase, value === object { return .element }
      throw invalid(keyPath, type: root.className())
    }
    return QueryPath(steps: tracer.names.map { .property($0) })
  }

  /// Returns the path to the first property with a single value that a computed property reads, or `nil` if
  /// it reads none.
  static func firstRead(_ keyPath: AnyKeyPath) -> QueryPath? {
    guard let root = Swift.type(of: keyPath).rootType as? ObjectBase.Type else { return nil }
    return firstRead(from: root) { ($0 as Any)[keyPath: keyPath] }
  }

  /// Returns the path to the first property with a single value that `read` reads, or `nil` if it reads none.
  package static func firstRead(from root: ObjectBase.Type, _ read: (ObjectBase) -> Any?) -> QueryPath? {
    let tracer = PropertyTracer()
    let object = tracer.traced(root)
    tracer.next = object
    tracing { _ = read(object) }
    return tracer.firstValue.map { QueryPath(steps: $0.map { .property($0) }) }
  }

  /// Returns the paths to all properties that `read` reads. Paths that are only steps on the way to other
  /// properties are omitted.
  package static func reads(from root: ObjectBase.Type, _ read: (ObjectBase) -> Any?) -> [PropertyReads.Path]
  {
    let tracer = PropertyTracer()
    let reads = PropertyReads()
    tracer.reads = reads
    let object = tracer.traced(root)
    reads.begin(at: object)
    let value = tracing { read(object) }
    guard let collection = value as? any ElementProjecting,
      let element = Swift.type(of: collection.elementKeyPath).rootType as? ObjectBase.Type
    else { return reads.ends }
    let elements = self.reads(from: element) { ($0 as Any)[keyPath: collection.elementKeyPath] }
    return reads.ends.flatMap { path in elements.map { path.appending($0) } }
  }

  private static func invalid(_ keyPath: AnyKeyPath, type: String?) -> FiefError {
    FiefError(
      .invalidQuery,
      "The key path does not lead to a persisted property.",
      type: type,
      details: ["key path: \(keyPath)"]
    )
  }

  /// Returns the property to which a key path of a class leads directly, or `nil` for other key paths.
  static func property<Root: ObjectBase, Value>(_ keyPath: KeyPath<Root, Value>) -> PropertyDescriptor? {
    guard let path = try? TypedPath.path(keyPath), path.steps.count == 1,
      case .property(let name) = path.steps[0]
    else { return nil }
    return ObjectDescriptor.of(Root.self).property(named: name)
  }
}

extension ColumnType {
  /// Whether the values are objects.
  fileprivate var isOfObjects: Bool { kind == .link || kind == .embedded || kind == .linkingObjects }
}
