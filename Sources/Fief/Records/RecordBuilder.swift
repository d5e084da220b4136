/// Writes one record at the end of a writer's bytes.
///
/// The columns are given in the layout's order; ``finish(withChecksum:)`` fills in the ends and the header.
struct RecordBuilder {
  private let layout: Layout
  private let start: Int
  private var ends: [Int] = []

  init(layout: Layout, in writer: inout ValueWriter) {
    self.layout = layout
    self.start = writer.bytes.count
    ends.reserveCapacity(layout.varyingCount)
    writer.bytes.append(contentsOf: repeatElement(0, count: layout.headSize(isWide: false)))
  }

  @inline(__always)
  func setNil(_ place: Layout.Place, in writer: inout ValueWriter) {
    if place.nullBit >= 0 {
      writer.bytes[start + Layout.headerSize + place.nullBit >> 3] |= 1 << UInt8(place.nullBit & 7)
    }
  }

  @inline(__always)
  func setSlot<Value: FixedWidthInteger>(_ value: Value, _ place: Layout.Place, in writer: inout ValueWriter)
  {
    writer.bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: value.littleEndian, toByteOffset: start + place.slot, as: Value.self)
    }
  }

  func setSlot(_ payload: UnsafeRawBufferPointer, _ place: Layout.Place, in writer: inout ValueWriter) {
    writer.bytes.withUnsafeMutableBytes { bytes in
      let slot = UnsafeMutableRawBufferPointer(rebasing: bytes[(start + place.slot)...].prefix(place.width))
      slot.copyBytes(from: payload.prefix(place.width))
    }
  }

  /// Ends a varying column: what was appended to the writer since the last one is its payload.
  @inline(__always)
  mutating func endVarying(in writer: inout ValueWriter) {
    ends.append(writer.bytes.count - start - layout.headSize(isWide: false))
  }

  /// Completes the record.
  ///
  /// - Parameter withChecksum: false for an embedded record, which its owner's checksum covers.
  func finish(withChecksum: Bool, in writer: inout ValueWriter) throws(FiefError) {
    let isWide = (ends.last ?? 0) > UInt16.max
    guard (ends.last ?? 0) <= UInt32.max else {
      throw FiefError(.invalidValue, "The object is larger than a record can be (4 GiB).")
    }
    if isWide {
      let extra = repeatElement(UInt8(0), count: layout.varyingCount * 2)
      writer.bytes.insert(contentsOf: extra, at: start + layout.headSize(isWide: false))
    }
    let count = writer.bytes.count - start
    writer.bytes.withUnsafeMutableBytes { all in
      let record = UnsafeMutableRawBufferPointer(rebasing: all[start..<(start + count)])
      record.storeBytes(of: layout.version.littleEndian, toByteOffset: Layout.checksumSize, as: UInt16.self)
      record[Layout.flagsOffset] = isWide ? Layout.wideFlag : 0
      for (index, end) in ends.enumerated() {
        if isWide {
          let value = UInt32(truncatingIfNeeded: end).littleEndian
          record.storeBytes(of: value, toByteOffset: layout.endsOffset + index * 4, as: UInt32.self)
        } else {
          let value = UInt16(truncatingIfNeeded: end).littleEndian
          record.storeBytes(of: value, toByteOffset: layout.endsOffset + index * 2, as: UInt16.self)
        }
      }
      if withChecksum {
        let body = UnsafeRawBufferPointer(rebasing: record[Layout.checksumSize...])
        record.storeBytes(of: RecordChecksum.compute(body).littleEndian, as: UInt32.self)
      }
    }
  }
}
