import Foundation
import LMDB

extension ObjectBinding {
  /// Creates an object from a record.
  ///
  /// - Throws: ``FiefError`` of code `damagedRecord` with store, type and key.
  package func decode(
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    context: ObjectOrigin?
  ) throws(FiefError) -> ObjectBase {
    do {
      let plan = decodePlans + (try table.layoutIndex(of: record))
      let view = try RecordView(record, plan.pointee.shape)
      return try decode(key, view, plan, context)
    } catch {
      throw located(error, key, context)
    }
  }

  /// Creates an object from a view of a record.
  ///
  /// - Parameter layout: the index of the view's layout in the table's `layouts`.
  /// - Throws: ``FiefError`` of code `damagedRecord` with store, type and key.
  @inline(__always)
  func decode(
    key: UnsafeRawBufferPointer,
    view: RecordView,
    layout: Int,
    context: ObjectOrigin?
  ) throws(FiefError) -> ObjectBase {
    do {
      return try decode(key, view, decodePlans + layout, context)
    } catch {
      throw located(error, key, context)
    }
  }

  @inline(__always)
  private func decode(
    _ key: UnsafeRawBufferPointer,
    _ view: RecordView,
    _ plan: UnsafePointer<DecodePlan>,
    _ context: ObjectOrigin?
  ) throws(FiefError) -> ObjectBase {
    let stamp = RecordStamp.of(try view.verifiedHash(key, of: table))
    let object = try decodeFields(of: view, plan, stamp: stamp, context: context)
    try decodeKey(key, into: object)
    return object
  }

  @inline(never)
  private func located(
    _ error: FiefError,
    _ key: UnsafeRawBufferPointer,
    _ context: ObjectOrigin?
  ) -> FiefError {
    var error = error
    error.store = context?.host.storeName
    error.type = table.name
    error.key = table.text(ofKey: [UInt8](key))
    return error
  }

  /// Creates an embedded object from its record inside its owner's record.
  func decodeEmbedded(
    record: UnsafeRawBufferPointer,
    context: ObjectOrigin?
  ) throws(FiefError) -> ObjectBase {
    let plan = decodePlans + (try table.layoutIndex(of: record))
    return try decodeFields(of: try RecordView(record, plan.pointee.shape), plan, stamp: 0, context: context)
  }

  private func decodeFields(
    of view: RecordView,
    _ plan: UnsafePointer<DecodePlan>,
    stamp: UInt,
    context: ObjectOrigin?
  ) throws(FiefError) -> ObjectBase {
    let type = descriptor.type
    let object =
      descriptor.dateCount > 0 ? CreationDate.withoutClock(descriptor.dateCount) { type.init() } : type.init()
    object._origin = context
    if plan.pointee.hasDeferred {
      object._record = RecordCopy(view.bytes, binding: self, stamp: stamp)
    } else {
      // A new object has no record yet.
      object._source = stamp
    }
    // SAFETY: the offsets and types of the fields are from this object's class, `object` lives to the end of
    // the function, and there is no other reference to it.
    let base = UnsafeMutableRawPointer(Unmanaged.passUnretained(object).toOpaque())
    var integers = RecordView.IntegerCursor(view)
    if var step = plan.pointee.steps.baseAddress {
      // The loop uses addresses. Copying a step would read all of it, but each kind needs only a part.
      let end = step + plan.pointee.steps.count
      while step < end {
        try decode(step, of: view, integers: &integers, into: base, context: context)
        step += 1
      }
    }
    for missing in plan.pointee.missing {
      try setDefault(missing, in: base, context: context)
    }
    if descriptor.assignsInInitializer { object.clearAssigned(descriptor) }
    withExtendedLifetime(object) {}
    if plan.pointee.hasDeferred, descriptor.isEncodable { object.describeDeferredValues() }
    return object
  }

  @inline(__always)
  private func decode(
    _ step: UnsafePointer<FieldStep>,
    of view: RecordView,
    integers: inout RecordView.IntegerCursor,
    into base: UnsafeMutableRawPointer,
    context: ObjectOrigin?
  ) throws(FiefError) {
    let field = base + Int(step.pointee.offset)
    switch step.pointee.access {
    case .bool:
      field.storeBytes(of: view.bit(step.pointee.place.position), as: Bool.self)
    case .int, .int64:
      field.storeBytes(of: integers.next(in: view), as: Int64.self)
    case .int32:
      field.storeBytes(of: Int32(truncatingIfNeeded: integers.next(in: view)), as: Int32.self)
    case .int16:
      field.storeBytes(of: Int16(truncatingIfNeeded: integers.next(in: view)), as: Int16.self)
    case .int8:
      field.assumingMemoryBound(to: Int8.self).pointee = view.slot(step.pointee.place).load(as: Int8.self)
    case .float:
      let bits = UInt32(littleEndian: view.slot(step.pointee.place).loadUnaligned(as: UInt32.self))
      field.assumingMemoryBound(to: Float.self).pointee = Float(bitPattern: bits)
    case .double:
      field.assumingMemoryBound(to: Double.self).pointee = view.slot(step.pointee.place).leadingDouble
    case .date:
      field.assumingMemoryBound(to: Date.self).pointee =
        Date(timeIntervalSinceReferenceDate: view.slot(step.pointee.place).leadingDouble)
    case .string:
      Self.set(
        String(decoding: try view.varying(step.pointee.place), as: UTF8.self),
        field.assumingMemoryBound(to: String.self)
      )
    case .data:
      field.assumingMemoryBound(to: Data.self).pointee = Data(try view.varying(step.pointee.place))
    case .uuid:
      field.assumingMemoryBound(to: UUID.self).pointee =
        UUID(uuid: view.slot(step.pointee.place).loadUnaligned(as: uuid_t.self))
      clearFirstRead(Int(step.pointee.flagsOffset), in: base)
    case .optionalInt:
      let value = integers.next(in: view)
      field.assumingMemoryBound(to: Int?.self).pointee = view.isNil(step.pointee.place) ? nil : Int(value)
    case .optionalDouble:
      field.assumingMemoryBound(to: Double?.self).pointee =
        view.isNil(step.pointee.place) ? nil : view.slot(step.pointee.place).leadingDouble
    case .optionalDate:
      field.assumingMemoryBound(to: Date?.self).pointee =
        view.isNil(step.pointee.place)
        ? nil : Date(timeIntervalSinceReferenceDate: view.slot(step.pointee.place).leadingDouble)
    case .optionalString:
      field.assumingMemoryBound(to: String?.self).pointee =
        view.isNil(step.pointee.place)
        ? nil : String(decoding: try view.varying(step.pointee.place), as: UTF8.self)
    case .fault:
      if !view.isNil(step.pointee.place) {
        setDeferred(Int(step.pointee.flagsOffset), in: base)
      } else if Self.hasObject(field) {
        dropDefault(descriptor.properties[Int(step.pointee.property)], field)
      }
    case .collection:
      setDeferred(Int(step.pointee.flagsOffset), in: base)
    case .generic:
      if step.pointee.place.form == .integer { _ = integers.next(in: view) }
      try decodeGeneric(step.pointee, of: view, into: base, context: context)
    case .converted:
      if step.pointee.place.form == .integer { _ = integers.next(in: view) }
      try decodeConverted(step.pointee, of: view, into: base, context: context)
    case .none:
      if step.pointee.place.form == .integer { _ = integers.next(in: view) }
    }
  }

  /// Replaces a text. An empty text, which most new objects contain, is overwritten without a release.
  @inline(__always)
  private static func set(_ text: String, _ field: UnsafeMutablePointer<String>) {
    typealias Words = (UInt, UInt)
    guard MemoryLayout<String>.size == MemoryLayout<Words>.size else {
      field.pointee = text
      return
    }
    // SAFETY: the sizes are the same, and an empty text owns no memory.
    let old = UnsafeRawPointer(field).loadUnaligned(as: Words.self)
    let empty = withUnsafeBytes(of: "") { $0.loadUnaligned(as: Words.self) }
    if old == empty { field.initialize(to: text) } else { field.pointee = text }
  }

  private func setDeferred(_ flagsOffset: Int, in base: UnsafeMutableRawPointer) {
    (base + flagsOffset).assumingMemoryBound(to: UInt8.self).pointee |=
      PersistedFlags.firstRead | PersistedFlags.deferred
  }

  /// Whether the default value of a link or an embedded object in a new object is an object.
  // SAFETY: the value is a reference or nil, and is the wrapper's first field.
  @inline(__always)
  private static func hasObject(_ field: UnsafeMutableRawPointer) -> Bool {
    field.load(as: UnsafeRawPointer?.self) != nil
  }

  /// Sets a property to the stored nil, because the default in its class may not be nil.
  @inline(never)
  private func dropDefault(_ property: PropertyDescriptor, _ field: UnsafeMutableRawPointer) {
    _ = property.field.setNil(field)
  }

  private func clearFirstRead(_ flagsOffset: Int, in base: UnsafeMutableRawPointer) {
    (base + flagsOffset).assumingMemoryBound(to: UInt8.self).pointee &= ~PersistedFlags.firstRead
  }

  private func decodeGeneric(
    _ step: FieldStep,
    of view: RecordView,
    into base: UnsafeMutableRawPointer,
    context: ObjectOrigin?
  ) throws(FiefError) {
    let property = descriptor.properties[Int(step.property)]
    do {
      try view.withPayload(step.place) {
        if property.type.kind == .any, let payload = $0, try AnyRealmValue.hasObject(payload, property.type) {
          return deferValue(of: property, of: view, in: base)
        }
        let isKnown = try decodeGeneric(property, payload: $0, into: base, context: context)
        if !isKnown { keepUnknown(property, of: view, in: base, context) }
      }
    } catch {
      throw error as? FiefError ?? RecordView.damaged
    }
  }

  @inline(never)
  private func decodeConverted(
    _ step: FieldStep,
    of view: RecordView,
    into base: UnsafeMutableRawPointer,
    context: ObjectOrigin?
  ) throws(FiefError) {
    let property = descriptor.properties[Int(step.property)]
    guard let conversion = view.layout.conversion(at: step.place) else { throw RecordView.damaged }
    do {
      try view.withPayload(step.place) {
        try conversion.apply($0) {
          if property.type.kind == .any, let payload = $0,
            try AnyRealmValue.hasObject(payload, property.type)
          {
            return deferValue(of: property, of: view, in: base)
          }
          let isKnown = try decodeGeneric(property, payload: $0, into: base, context: context)
          if !isKnown { keepUnknown(property, of: view, in: base, context) }
        }
      }
    } catch {
      throw error as? FiefError ?? RecordView.damaged
    }
  }

  /// Defers an `AnyRealmValue` property that contains objects until it is first read.
  @inline(never)
  private func deferValue(
    of property: PropertyDescriptor,
    of view: RecordView,
    in base: UnsafeMutableRawPointer
  ) {
    // SAFETY: as in `keepUnknown`.
    let object = Unmanaged<ObjectBase>.fromOpaque(base).takeUnretainedValue()
    if object._record == nil { object._record = RecordCopy(view.bytes, binding: self, stamp: object._stamp) }
    setDeferred(property.flagsOffset, in: base)
    if descriptor.isEncodable { object.describeDeferredValue(of: property) }
  }

  /// Keeps a stored value that the property's type cannot represent in the record until the property is
  /// assigned.
  @inline(never)
  private func keepUnknown(
    _ property: PropertyDescriptor,
    of view: RecordView,
    in base: UnsafeMutableRawPointer,
    _ context: ObjectOrigin?
  ) {
    // SAFETY: `base` is the address of the object that is being created, which `decodeFields` keeps alive.
    let object = Unmanaged<ObjectBase>.fromOpaque(base).takeUnretainedValue()
    if object._record == nil { object._record = RecordCopy(view.bytes, binding: self, stamp: object._stamp) }
    (base + property.flagsOffset).assumingMemoryBound(to: UInt8.self).pointee |= PersistedFlags.deferred
    if descriptor.isEncodable { object.describeDeferredValue(of: property) }
    context?.host.reportUnknown(table, property)
  }

  /// - Returns: false if the property's type cannot represent the stored value.
  @discardableResult
  private func decodeGeneric(
    _ property: PropertyDescriptor,
    payload: UnsafeRawBufferPointer?,
    into base: UnsafeMutableRawPointer,
    context: ObjectOrigin?
  ) throws(FiefError) -> Bool {
    let field = base + property.offset
    guard let payload else {
      guard property.field.setNil(field) else {
        throw FiefError(.damagedRecord, "A required value is nil.", property: property.name)
      }
      return true
    }
    var reader = ValueReader(payload, context: context)
    do {
      try property.field.read(field, from: &reader)
      return !reader.foundUnknown
    } catch {
      var fief = error as? FiefError ?? FiefError(.damagedRecord, "A value is damaged.", underlying: error)
      fief.property = property.name
      throw fief
    }
  }

  private func setDefault(
    _ missing: DecodePlan.MissingProperty,
    in base: UnsafeMutableRawPointer,
    context: ObjectOrigin?
  ) throws(FiefError) {
    let property = missing.property
    if property.access == .collection { return }
    if property.access == .fault {
      let field = base + property.offset
      if Self.hasObject(field) { dropDefault(property, field) }
      return
    }
    if property.type.container != .none {
      // The default of a Swift collection has elements, but the record is older than the property, so the
      // property is empty.
      _ = try decodeGeneric(
        property,
        payload: UnsafeRawBufferPointer(start: nil, count: 0),
        into: base,
        context: context
      )
      return
    }
    var failure: FiefError?
    if let payload = missing.payload {
      payload.withUnsafeBytes { bytes in
        do throws(FiefError) {
          _ = try decodeGeneric(property, payload: bytes, into: base, context: context)
        } catch {
          failure = error
        }
      }
    } else {
      _ = property.field.setNil(base + property.offset)
      clearFirstRead(property.flagsOffset, in: base)
    }
    if let failure { throw failure }
  }

  /// Sets the properties of the primary key, or the row ID, from a key.
  @inline(__always)
  fileprivate func decodeKey(_ key: UnsafeRawBufferPointer, into object: ObjectBase) throws(FiefError) {
    // SAFETY: as in `decodeFields`.
    let base = UnsafeMutableRawPointer(Unmanaged.passUnretained(object).toOpaque())
    if let integerKeyOffset {
      var decoder = KeyDecoder(key)
      if let value = decoder.nextPositiveInteger() {
        (base + integerKeyOffset).assumingMemoryBound(to: Int64.self).pointee = value
        return
      }
    }
    try decodeOtherKey(key, into: object, at: base)
  }

  /// Sets the same properties from a key that is not a single positive integer.
  @inline(never)
  private func decodeOtherKey(
    _ key: UnsafeRawBufferPointer,
    into object: ObjectBase,
    at base: UnsafeMutableRawPointer
  ) throws(FiefError) {
    if let integerKeyOffset {
      (base + integerKeyOffset).assumingMemoryBound(to: Int64.self).pointee = try Self.integer(key)
      return
    }
    if primaryKey.isEmpty {
      object._rowID = try Self.integer(key)
      return
    }
    var decoder = KeyDecoder(key)
    for (index, property) in primaryKey.enumerated() {
      var writer = ValueWriter()
      let isSet =
        hasSecretKey
        ? try table.appendKeyPayload(
          from: &decoder,
          of: table.primaryKey[index],
          kind: property.type.kind,
          to: &writer
        ) : try KeyCoding.appendPayload(from: &decoder, kind: property.type.kind, to: &writer)
      var failure: FiefError?
      writer.withBytes { bytes in
        do throws(FiefError) {
          let isKnown = try decodeGeneric(property, payload: isSet ? bytes : nil, into: base, context: nil)
          if !isKnown {
            // A substitute for an unknown enumeration case would result in the key of another object.
            throw FiefError(
              .invalidValue,
              "The primary key of a stored object is not a value of the property's type.",
              property: property.name
            )
          }
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
    withExtendedLifetime(object) {}
  }

  @inline(__always)
  private static func integer(_ key: UnsafeRawBufferPointer) throws(FiefError) -> Int64 {
    var decoder = KeyDecoder(key)
    if let value = decoder.nextPositiveInteger() { return value }
    do { return try decoder.nextInteger() } catch {
      throw FiefError(.damagedRecord, "A key is damaged.", underlying: error)
    }
  }
}

extension ObjectBinding {
  /// Creates a placeholder for an object that was deleted or cannot be read. It has the object's key and the
  /// default values of its class, and cannot be saved.
  func goneObject(key: UnsafeRawBufferPointer, isGone: Bool, context: ObjectOrigin) throws -> ObjectBase {
    let object = descriptor.type.standIn()
    try decodeKey(key, into: object)
    object._origin = context
    object._wasDeleted = isGone
    return object
  }
}
