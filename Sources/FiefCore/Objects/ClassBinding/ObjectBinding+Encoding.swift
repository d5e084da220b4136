import Foundation
import LMDB

extension ObjectBinding {
  /// Appends an object's record to `writer`.
  ///
  /// - Parameter isEmbedded: whether the record becomes part of another record and directly follows that
  ///   record's bytes.
  /// - Returns: the offset of the record in the writer. The record extends to the end.
  @discardableResult
  func encode(_ object: ObjectBase, isEmbedded: Bool = false, into writer: inout ValueWriter) throws -> Int {
    let before = writer.count
    var builder = RecordBuilder(layout: currentLayout, in: &writer)
    // SAFETY: the object is alive until the end of the function, and the steps were created for its class.
    let base = UnsafeMutableRawPointer(Unmanaged.passUnretained(object).toOpaque())
    for step in encodeSteps {
      try encode(step, of: object, at: base, with: &builder, into: &writer)
    }
    withExtendedLifetime(object) {}
    let start = try builder.finish(withChecksum: !isEmbedded, in: &writer)
    guard isEmbedded, start > before else { return start }
    memmove(writer.address(before), writer.address(start), writer.count - start)
    writer.truncate(to: writer.count - (start - before))
    return before
  }

  // SAFETY: `base` is the address of `object`, and the steps were created for its class.
  @inline(__always)
  private func encode(
    _ step: FieldStep,
    of object: ObjectBase,
    at base: UnsafeMutableRawPointer,
    with builder: inout RecordBuilder,
    into writer: inout ValueWriter
  ) throws {
    let place = step.place
    let field = UnsafeRawPointer(base + Int(step.offset))
    switch step.access {
    case .bool:
      if field.load(as: Bool.self) { builder.setBit(place.position, in: &writer) }
    case .int, .int64:
      builder.setInteger(field.load(as: Int64.self), place, in: &writer)
    case .int32:
      builder.setInteger(Int64(field.load(as: Int32.self)), place, in: &writer)
    case .int16:
      builder.setInteger(Int64(field.load(as: Int16.self)), place, in: &writer)
    case .int8:
      builder.setSlot(field.load(as: Int8.self), place, in: &writer)
    case .float:
      builder.setSlot(field.load(as: Float.self).bitPattern, place, in: &writer)
    case .double:
      builder.setSlot(field.load(as: Double.self).bitPattern, place, in: &writer)
    case .date:
      let date = field.load(as: Date.self)
      builder.setSlot(date.timeIntervalSinceReferenceDate.bitPattern, place, in: &writer)
    case .string:
      // The text is not copied, because a copy would retain it.
      let pointer = UnsafeMutableRawPointer(mutating: field).assumingMemoryBound(to: String.self)
      pointer.pointee.withUTF8 { writer.append(UnsafeRawBufferPointer($0)) }
      builder.endVarying(in: &writer)
    case .data:
      field.assumingMemoryBound(to: Data.self).pointee.withUnsafeBytes { writer.append($0) }
      builder.endVarying(in: &writer)
    case .optionalInt:
      if let value = field.load(as: Int?.self) {
        builder.setInteger(Int64(value), place, in: &writer)
      } else {
        builder.setNil(place, in: &writer)
      }
    case .optionalDouble:
      if let value = field.load(as: Double?.self) {
        builder.setSlot(value.bitPattern, place, in: &writer)
      } else {
        builder.setNil(place, in: &writer)
      }
    case .optionalDate:
      if let value = field.load(as: Date?.self) {
        builder.setSlot(value.timeIntervalSinceReferenceDate.bitPattern, place, in: &writer)
      } else {
        builder.setNil(place, in: &writer)
      }
    case .optionalString:
      let pointer = UnsafeMutableRawPointer(mutating: field).assumingMemoryBound(to: String?.self)
      if pointer.pointee?.withUTF8({ writer.append(UnsafeRawBufferPointer($0)) }) == nil {
        builder.setNil(place, in: &writer)
      }
      builder.endVarying(in: &writer)
    case .uuid, .generic, .converted:
      if let record = object._record, object.isDeferred(descriptor.properties[Int(step.property)]) {
        return try encodeUnknown(step, of: record, with: &builder, into: &writer)
      }
      descriptor.properties[Int(step.property)].field.performFirstRead(
        base + Int(step.offset),
        owner: object,
        offset: Int(step.offset)
      )
      try encodeGeneric(step, field: field, with: &builder, into: &writer)
    case .fault, .collection:
      if object.isDeferred(descriptor.properties[Int(step.property)]), let record = object._record {
        try encodeDeferred(step, of: object, record, with: &builder, into: &writer)
      } else {
        try encodeGeneric(step, field: field, with: &builder, into: &writer)
      }
    case .none:
      break
    }
  }

  private func encodeGeneric(
    _ step: FieldStep,
    field: UnsafeRawPointer,
    with builder: inout RecordBuilder,
    into writer: inout ValueWriter
  ) throws {
    let declared = descriptor.properties[Int(step.property)]
    let property = declared.field
    let isNil = property.isNil(field)
    let outer = writer.encodedGraph?.property
    writer.encodedGraph?.property = declared
    defer { writer.encodedGraph?.property = outer }
    if step.place.form == .varying {
      if isNil {
        builder.setNil(step.place, in: &writer)
      } else {
        try append(declared, field, to: &writer)
      }
      builder.endVarying(in: &writer)
      return
    }
    var payload = ValueWriter(graph: writer.destination)
    if !isNil { try append(declared, field, to: &payload) }
    payload.withBytes { builder.set(isNil ? nil : $0, step.place, in: &writer) }
  }

  private func append(
    _ property: PropertyDescriptor,
    _ field: UnsafeRawPointer,
    to writer: inout ValueWriter
  ) throws {
    do { try property.field.append(field, to: &writer) } catch var error as FiefError {
      error.property = error.property ?? property.name
      error.type = error.type ?? descriptor.name
      throw error
    }
  }

  /// Copies the stored bytes of a value that the property's type cannot represent.
  @inline(never)
  private func encodeUnknown(
    _ step: FieldStep,
    of record: RecordCopy,
    with builder: inout RecordBuilder,
    into writer: inout ValueWriter
  ) throws {
    var payload: [UInt8]?
    try record.withCurrentPayload(ofPropertyAt: Int(step.offset)) { payload = $0.map { [UInt8]($0) } }
    payload.withBytes { payload in
      guard step.place.form == .varying else { return builder.set(payload, step.place, in: &writer) }
      if let payload { writer.append(payload) } else { builder.setNil(step.place, in: &writer) }
      builder.endVarying(in: &writer)
    }
  }

  /// Copies the bytes of a link or a collection that was never read.
  private func encodeDeferred(
    _ step: FieldStep,
    of object: ObjectBase,
    _ record: RecordCopy,
    with builder: inout RecordBuilder,
    into writer: inout ValueWriter
  ) throws {
    writer.encodedGraph?.noteCopiedLinks()
    let isSet =
      try record.withPayload(ofColumn: step.place.columnID) { payload in
        guard step.access == .collection, CollectionMarker.isMarker(payload),
          let live = try object._origin?.host.livePayload(of: object, column: step.place.columnID)
        else { return writer.append(payload) }
        live.withUnsafeBytes { writer.append($0) }
      } != nil
    if !isSet { builder.setNil(step.place, in: &writer) }
    builder.endVarying(in: &writer)
  }

  /// Appends the key of an object to `writer`: its primary key or its row ID, which must already be assigned.
  ///
  /// - Throws: ``FiefError`` of code `primaryKeyTooLong`.
  @inline(__always)
  func appendKey(of object: ObjectBase, to writer: inout ValueWriter) throws {
    if let offset = integerKeyOffset {
      let value = object.withFields { $0.load(fromByteOffset: offset, as: Int64.self) }
      IndexElement.append(KeyElementImage(value), to: &writer)
    } else {
      writer.append(try key(of: object))
    }
  }

  /// Returns the key of an object: its primary key or its row ID, which must already be assigned.
  ///
  /// - Throws: ``FiefError`` of code `primaryKeyTooLong`.
  package func key(of object: ObjectBase) throws -> [UInt8] {
    var encoder = KeyEncoder()
    if primaryKey.isEmpty {
      encoder.append(object._rowID)
      return encoder.bytes
    }
    try object.withFields { base in
      for (index, property) in primaryKey.enumerated() {
        let start = encoder.bytes.count
        let field = base + property.offset
        property.field.performFirstRead(field, owner: object, offset: property.offset)
        if property.access == .int {
          encoder.append(field.assumingMemoryBound(to: Int64.self).pointee)
        } else if property.access == .string {
          encoder.append(string: field.assumingMemoryBound(to: String.self).pointee)
        } else if property.field.isNil(field) {
          encoder.appendNull()
        } else {
          var writer = ValueWriter()
          try property.field.append(field, to: &writer)
          try writer.withBytes { try KeyCoding.append($0, kind: property.type.kind, to: &encoder) }
        }
        if hasSecretKey { try table.seal(table.primaryKey[index], at: start, of: &encoder) }
      }
    }
    try checkLength(of: encoder.bytes)
    return encoder.bytes
  }

  func checkLength(of key: [UInt8]) throws {
    guard key.count <= ObjectKey.maximumLength else {
      throw FiefError(
        .primaryKeyTooLong,
        "The primary key is too long for a store.",
        type: table.name,
        property: primaryKey.map(\.name).joined(separator: ", "),
        key: table.text(ofKey: key),
        details: ["encoded length: \(key.count) bytes", "the limit: \(ObjectKey.maximumLength) bytes"]
      )
    }
  }
}
