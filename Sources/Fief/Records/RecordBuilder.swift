/// Writes one record at the end of a writer's bytes.
///
/// The columns are given in the layout's order; ``finish(withChecksum:in:)`` completes the header.
struct RecordBuilder {
  private let layout: Layout
  private let start: Int
  /// How many varying columns have ended.
  private var ended = 0
  /// The ends of all of them once one is beyond two bytes. While none is, they are in the record already,
  /// so that a record of usual size allocates nothing.
  private var wideEnds: [Int] = []
  private var isWide: Bool { !wideEnds.isEmpty }

  init(layout: Layout, in writer: inout ValueWriter) {
    self.layout = layout
    self.start = writer.bytes.count
    writer.bytes.append(contentsOf: layout.blankHead)
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
    let end = writer.bytes.count - start - layout.blankHead.count
    if !isWide, end <= UInt16.max {
      writer.bytes.withUnsafeMutableBytes {
        $0.storeBytes(
          of: UInt16(truncatingIfNeeded: end).littleEndian,
          toByteOffset: start + layout.endsOffset + ended * 2,
          as: UInt16.self
        )
      }
    } else {
      if !isWide { wideEnds = narrowEnds(in: writer) }
      wideEnds.append(end)
    }
    ended += 1
  }

  private func narrowEnds(in writer: ValueWriter) -> [Int] {
    writer.bytes.withUnsafeBytes { bytes in
      (0..<ended).map { index in
        let offset = start + layout.endsOffset + index * 2
        return Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
      }
    }
  }

  /// Completes the record.
  ///
  /// - Parameter withChecksum: false for an embedded record, which its owner's checksum covers.
  func finish(withChecksum: Bool, in writer: inout ValueWriter) throws(FiefError) {
    guard (wideEnds.last ?? 0) <= UInt32.max else {
      throw FiefError(.invalidValue, "The object is larger than a record can be (4 GiB).")
    }
    if isWide {
      let extra = repeatElement(UInt8(0), count: layout.varyingCount * 2)
      writer.bytes.insert(contentsOf: extra, at: start + layout.blankHead.count)
    }
    let count = writer.bytes.count - start
    writer.bytes.withUnsafeMutableBytes { all in
      let record = UnsafeMutableRawBufferPointer(rebasing: all[start..<(start + count)])
      if isWide { record[Layout.flagsOffset] = Layout.wideFlag }
      for (index, end) in wideEnds.enumerated() {
        let value = UInt32(truncatingIfNeeded: end).littleEndian
        record.storeBytes(of: value, toByteOffset: layout.endsOffset + index * 4, as: UInt32.self)
      }
      if withChecksum {
        let body = UnsafeRawBufferPointer(rebasing: record[Layout.checksumSize...])
        record.storeBytes(of: RecordChecksum.compute(body).littleEndian, as: UInt32.self)
      }
    }
  }
}
