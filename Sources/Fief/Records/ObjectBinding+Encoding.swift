import Foundation
import LMDB

extension ObjectBinding {
  /// Appends an object's record to `writer`.
  ///
  /// - Parameter isEmbedded: whether the record becomes part of another one.
  func encode(_ object: ObjectBase, isEmbedded: Bool = false, into writer: inout ValueWriter) throws {
    var builder = RecordBuilder(layout: table.currentLayout, in: &writer)
    try object.withFields { base in
      for step in encodeSteps {
        try encode(step, of: object, at: base, with: &builder, into: &writer)
      }
    }
    try builder.finish(withChecksum: !isEmbedded, in: &writer)
  }

  // SAFETY: `base` is the address of `object`, whose class the steps were made for.
  @inline(__always)
  private func encode(
    _ step: FieldStep,
    of object: ObjectBase,
    at base: UnsafeMutableRawPointer,
    with builder: inout RecordBuilder,
    into writer: inout ValueWriter
  ) throws {
    let place = step.place
    let field = UnsafeRawPointer(base + step.offset)
    switch step.access {
    case .bool:
      let value: UInt8 = field.assumingMemoryBound(to: Bool.self).pointee ? 1 : 0
      builder.setSlot(value, place, in: &writer)
    case .int, .int64:
      builder.setSlot(field.assumingMemoryBound(to: Int64.self).pointee, place, in: &writer)
    case .int32:
      builder.setSlot(field.assumingMemoryBound(to: Int32.self).pointee, place, in: &writer)
    case .int16:
      builder.setSlot(field.assumingMemoryBound(to: Int16.self).pointee, place, in: &writer)
    case .int8:
      builder.setSlot(field.assumingMemoryBound(to: Int8.self).pointee, place, in: &writer)
    case .float:
      builder.setSlot(field.assumingMemoryBound(to: Float.self).pointee.bitPattern, place, in: &writer)
    case .double:
      builder.setSlot(field.assumingMemoryBound(to: Double.self).pointee.bitPattern, place, in: &writer)
    case .date:
      let date = field.assumingMemoryBound(to: Date.self).pointee
      builder.setSlot(date.timeIntervalSinceReferenceDate.bitPattern, place, in: &writer)
    case .string:
      writer.append(field.assumingMemoryBound(to: String.self).pointee)
      builder.endVarying(in: &writer)
    case .data:
      field.assumingMemoryBound(to: Data.self).pointee.withUnsafeBytes { writer.append($0) }
      builder.endVarying(in: &writer)
    case .optionalInt:
      if let value = field.assumingMemoryBound(to: Int?.self).pointee {
        builder.setSlot(Int64(value), place, in: &writer)
      } else {
        builder.setNil(place, in: &writer)
      }
    case .optionalDouble:
      if let value = field.assumingMemoryBound(to: Double?.self).pointee {
        builder.setSlot(value.bitPattern, place, in: &writer)
      } else {
        builder.setNil(place, in: &writer)
      }
    case .optionalDate:
      if let value = field.assumingMemoryBound(to: Date?.self).pointee {
        builder.setSlot(value.timeIntervalSinceReferenceDate.bitPattern, place, in: &writer)
      } else {
        builder.setNil(place, in: &writer)
      }
    case .optionalString:
      if let value = field.assumingMemoryBound(to: String?.self).pointee {
        writer.append(value)
      } else {
        builder.setNil(place, in: &writer)
      }
      builder.endVarying(in: &writer)
    case .uuid, .generic:
      object.withFields { base in
        descriptor.properties[step.property].field.performFirstRead(
          base + step.offset,
          owner: object,
          offset: step.offset
        )
      }
      try encodeGeneric(step, field: field, with: &builder, into: &writer)
    case .fault, .collection:
      if object.isDeferred(descriptor.properties[step.property]), let record = object._record {
        encodeDeferred(step, of: record, with: &builder, into: &writer)
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
    let declared = descriptor.properties[step.property]
    let property = declared.field
    let isNil = property.isNil(field)
    let outer = writer.graph?.property
    writer.graph?.property = declared
    defer { writer.graph?.property = outer }
    if isNil { builder.setNil(step.place, in: &writer) }
    if step.place.varying >= 0 {
      if !isNil { try property.append(field, to: &writer) }
      builder.endVarying(in: &writer)
    } else if !isNil {
      var payload = ValueWriter(graph: writer.graph)
      try property.append(field, to: &payload)
      payload.bytes.withUnsafeBytes { builder.setSlot($0, step.place, in: &writer) }
    }
  }

  /// Copies the bytes of a link or a collection that was never touched.
  private func encodeDeferred(
    _ step: FieldStep,
    of record: RecordCopy,
    with builder: inout RecordBuilder,
    into writer: inout ValueWriter
  ) {
    let isSet = record.withPayload(ofColumn: step.place.columnID) { writer.append($0) } != nil
    if !isSet { builder.setNil(step.place, in: &writer) }
    builder.endVarying(in: &writer)
  }

  /// The key of an object: its primary key, or its row id.
  ///
  /// - Throws: ``FiefError`` of code `primaryKeyTooLong`; the row id must have been given before.
  func key(of object: ObjectBase) throws -> [UInt8] {
    var encoder = KeyEncoder()
    if primaryKey.isEmpty {
      encoder.append(object._rowID)
      return encoder.bytes
    }
    try object.withFields { base in
      for property in primaryKey {
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
          try writer.bytes.withUnsafeBytes {
            try KeyCoding.append($0, kind: property.type.kind, to: &encoder)
          }
        }
      }
    }
    try checkLength(of: encoder.bytes)
    return encoder.bytes
  }

  func checkLength(of key: [UInt8]) throws {
    guard key.count <= ObjectKey.maximumLength else {
      throw FiefError(
        .primaryKeyTooLong,
        "The primary key is longer than a store can keep.",
        type: table.name,
        property: primaryKey.map(\.name).joined(separator: ", "),
        key: String(ObjectKey(bytes: key).description.prefix(64)) + "…",
        details: ["encoded length: \(key.count) bytes", "the limit: \(ObjectKey.maximumLength) bytes"]
      )
    }
  }
}
