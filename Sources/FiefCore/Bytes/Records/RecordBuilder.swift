import Foundation
import LMDB

/// Writes one record at the end of a writer's bytes.
///
/// Columns may be set in any order, except that varying columns must be set in the order of the layout. The
/// final widths of integers and ends are known only when all columns are set. Until then both are written at
/// full width before the payloads. ``finish(withChecksum:in:)`` narrows them and moves them up to the
/// payloads; the bytes before the start of the record are then unused.
struct RecordBuilder {
  // Copies of the layout's numbers. A reference to the layout would be retained for each record.
  private let version: UInt16
  private let integersOffset: Int
  private let integerCount: Int
  private let endsCount: Int
  // SAFETY: every offset that is written to lies inside the head, which `init` appends in full width.
  private let start: Int
  private let payloadStart: Int
  /// The number of varying columns whose payload is complete.
  private var ended = 0

  private var integersStart: Int { start + integersOffset }
  private var endsStart: Int { integersStart + integerCount * 8 }

  @inline(__always)
  init(layout: Layout, in writer: inout ValueWriter) {
    version = layout.version
    integersOffset = layout.integersOffset
    integerCount = layout.integerCount
    endsCount = layout.endsCount
    start = writer.count
    let head = integersOffset + integerCount * 8
    memset(writer.appendUninitialized(head + endsCount * 4), 0, head)
    payloadStart = writer.count
  }

  @inline(__always)
  func setNil(_ place: Layout.Place, in writer: inout ValueWriter) {
    if place.nullBit >= 0 { setBit(place.nullBit, in: &writer) }
  }

  /// Sets one of the bits. For a column of the form `bit` this means true.
  @inline(__always)
  func setBit(_ position: Int32, in writer: inout ValueWriter) {
    let byte = writer.address(start + Layout.headerSize + Int(position >> 3))
    let bit = UInt8(1) << UInt8(truncatingIfNeeded: position & 7)
    byte.storeBytes(of: byte.load(as: UInt8.self) | bit, as: UInt8.self)
  }

  @inline(__always)
  func setSlot<Value: FixedWidthInteger>(_ value: Value, _ place: Layout.Place, in writer: inout ValueWriter)
  {
    writer.address(start + Int(place.position)).storeBytes(of: value.littleEndian, as: Value.self)
  }

  @inline(__always)
  func setInteger(_ value: Int64, _ place: Layout.Place, in writer: inout ValueWriter) {
    writer.address(integersStart + Int(place.position) * 8).storeBytes(of: value, as: Int64.self)
  }

  /// Ends a varying column. Its payload consists of the bytes appended to the writer since the previous
  /// column.
  @inline(__always)
  mutating func endVarying(in writer: inout ValueWriter) {
    if ended < endsCount {
      // A record that is too long for this is refused by `finish`.
      let end = UInt32(truncatingIfNeeded: writer.count - payloadStart)
      writer.address(endsStart + ended * 4).storeBytes(of: end, as: UInt32.self)
    }
    ended += 1
  }

  /// Sets a column from its payload; `nil` sets it to nil.
  mutating func set(_ payload: UnsafeRawBufferPointer?, _ place: Layout.Place, in writer: inout ValueWriter) {
    if payload == nil { setNil(place, in: &writer) }
    switch place.form {
    case .varying:
      if let payload { writer.append(payload) }
      endVarying(in: &writer)
    case .bit:
      if payload?.first ?? 0 != 0 { setBit(place.position, in: &writer) }
    case .fixed:
      if let payload, payload.count == Int(place.width), let source = payload.baseAddress {
        writer.address(start + Int(place.position)).copyMemory(from: source, byteCount: payload.count)
      }
    case .integer:
      if let payload { setInteger(Self.integer(payload), place, in: &writer) }
    }
  }

  private static func integer(_ payload: UnsafeRawBufferPointer) -> Int64 {
    switch payload.count {
    case 2: Int64(Int16(littleEndian: payload.loadUnaligned(as: Int16.self)))
    case 4: Int64(Int32(littleEndian: payload.loadUnaligned(as: Int32.self)))
    case 8: Int64(littleEndian: payload.loadUnaligned(as: Int64.self))
    default: 0
    }
  }

  /// Completes the record.
  ///
  /// - Parameter withChecksum: false for an embedded record, which is covered by its owner's checksum.
  /// - Returns: the offset of the record in the writer. The record extends to the end of the writer.
  func finish(withChecksum: Bool, in writer: inout ValueWriter) throws(FiefError) -> Int {
    guard writer.count - payloadStart <= UInt32.max else {
      throw FiefError(.invalidValue, "The object is larger than the maximum size of a record (4 GiB).")
    }
    let ends = endsCount
    // Ends only grow, so the last end determines the width.
    let last = ends == 0 ? 0 : writer.address(endsStart + ends * 4 - 4).loadUnaligned(as: UInt32.self)
    let widthCode: UInt16 = last <= UInt8.max ? 0 : last <= UInt16.max ? 1 : 2
    let integersEnd = payloadStart - ends << Int(widthCode)
    packEnds(widthCode, in: &writer)
    let packedStart = packIntegers(upTo: integersEnd, in: &writer)
    let recordStart = packedStart - integersOffset
    let head = writer.address(start)
    head.storeBytes(
      of: (version | widthCode << Layout.endsWidthShift).littleEndian,
      toByteOffset: Layout.checksumSize,
      as: UInt16.self
    )
    if recordStart != start { memmove(writer.address(recordStart), head, integersOffset) }
    if withChecksum {
      let count = writer.count - recordStart - Layout.checksumSize
      let body = UnsafeRawBufferPointer(
        start: writer.address(recordStart + Layout.checksumSize),
        count: count
      )
      let hash = StableHash.hash(body)
      writer.address(recordStart).storeBytes(of: RecordChecksum.of(hash).littleEndian, as: UInt32.self)
      writer.recordHash = hash
    }
    return recordStart
  }

  /// Narrows the ends, moving them up to the payloads. Each end moves to the same or a later position, so the
  /// last one is moved first.
  @inline(__always)
  private func packEnds(_ widthCode: UInt16, in writer: inout ValueWriter) {
    let ends = endsCount
    if ends == 0 { return }
    for ordinal in stride(from: ends - 1, through: 0, by: -1) {
      let end = writer.address(endsStart + ordinal * 4).loadUnaligned(as: UInt32.self)
      let target = writer.address(payloadStart - (ends - ordinal) << Int(widthCode))
      switch widthCode {
      case 0: target.storeBytes(of: UInt8(truncatingIfNeeded: end), as: UInt8.self)
      case 1: target.storeBytes(of: UInt16(truncatingIfNeeded: end).littleEndian, as: UInt16.self)
      default: target.storeBytes(of: end.littleEndian, as: UInt32.self)
      }
    }
  }

  /// Narrows the integers, moving them up to the ends from last to first, and stores their widths in the
  /// bits.
  ///
  /// - Returns: the offset of the first integer.
  @inline(__always)
  private func packIntegers(upTo end: Int, in writer: inout ValueWriter) -> Int {
    var target = end
    for ordinal in stride(from: integerCount - 1, through: 0, by: -1) {
      let value = writer.address(integersStart + ordinal * 8).loadUnaligned(as: Int64.self)
      let code = Self.widthCode(of: value)
      target -= 1 << code
      switch code {
      case 0: writer.address(target).storeBytes(of: Int8(truncatingIfNeeded: value), as: Int8.self)
      case 1:
        writer.address(target).storeBytes(of: Int16(truncatingIfNeeded: value).littleEndian, as: Int16.self)
      case 2:
        writer.address(target).storeBytes(of: Int32(truncatingIfNeeded: value).littleEndian, as: Int32.self)
      default: writer.address(target).storeBytes(of: value.littleEndian, as: Int64.self)
      }
      let codes = writer.address(start + Layout.headerSize + ordinal >> 2)
      let shifted = UInt8(truncatingIfNeeded: code << ((ordinal & 3) << 1))
      codes.storeBytes(of: codes.load(as: UInt8.self) | shifted, as: UInt8.self)
    }
    return target
  }

  @inline(__always)
  static func widthCode(of value: Int64) -> Int {
    if value == Int64(Int8(truncatingIfNeeded: value)) { return 0 }
    if value == Int64(Int16(truncatingIfNeeded: value)) { return 1 }
    return value == Int64(Int32(truncatingIfNeeded: value)) ? 2 : 3
  }
}
