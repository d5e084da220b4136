import LMDB

/// A record's columns, read in place.
///
/// Making a view checks the sizes, so that reading a column stays inside of the bytes; the checksum is
/// verified by ``verifyChecksum()``, when an object is made.
struct RecordView {
  let bytes: UnsafeRawBufferPointer
  let layout: Layout
  private let isWide: Bool
  private let varyingStart: Int
  private let endsOffset: Int

  /// The layout version that `bytes` say.
  static func layoutVersion(_ bytes: UnsafeRawBufferPointer) throws(FiefError) -> UInt16 {
    guard bytes.count >= Layout.headerSize else { throw damaged }
    return UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: Layout.checksumSize, as: UInt16.self))
  }

  // SAFETY: the caller keeps `bytes` alive and unchanged while the view is used.
  init(_ bytes: UnsafeRawBufferPointer, layout: Layout) throws(FiefError) {
    guard bytes.count >= Layout.headerSize else { throw Self.damaged }
    let flags = bytes[Layout.flagsOffset]
    guard flags & ~Layout.wideFlag == 0 else { throw Self.damaged }
    self.bytes = bytes
    self.layout = layout
    self.isWide = flags & Layout.wideFlag != 0
    self.endsOffset = layout.endsOffset
    self.varyingStart = layout.headSize(isWide: isWide)
    guard bytes.count >= varyingStart else { throw Self.damaged }
  }

  static var damaged: FiefError {
    FiefError(.damagedRecord, "A record is damaged.")
  }

  func verifyChecksum() throws(FiefError) {
    let stored = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
    let body = UnsafeRawBufferPointer(rebasing: bytes[Layout.checksumSize...])
    guard stored == RecordChecksum.compute(body) else {
      throw FiefError(.damagedRecord, "The checksum of a record is wrong.")
    }
  }

  @inline(__always)
  func isNil(_ place: Layout.Place) -> Bool {
    guard place.nullBit >= 0 else { return false }
    return bytes[Layout.headerSize + place.nullBit >> 3] & (1 << UInt8(place.nullBit & 7)) != 0
  }

  /// The address of a fixed column's slot.
  @inline(__always)
  func slot(_ place: Layout.Place) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[place.slot..<(place.slot + place.width)])
  }

  @inline(__always)
  private func end(_ index: Int) -> Int {
    if isWide {
      let end = bytes.loadUnaligned(fromByteOffset: endsOffset + index * 4, as: UInt32.self)
      return Int(UInt32(littleEndian: end))
    }
    let end = bytes.loadUnaligned(fromByteOffset: endsOffset + index * 2, as: UInt16.self)
    return Int(UInt16(littleEndian: end))
  }

  /// The bytes of a varying column.
  @inline(__always)
  func varying(_ place: Layout.Place) throws(FiefError) -> UnsafeRawBufferPointer {
    let start = varyingStart + (place.varying == 0 ? 0 : end(place.varying - 1))
    let end = varyingStart + end(place.varying)
    guard start <= end, end <= bytes.count else { throw Self.damaged }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }

  /// The payload of a column, nil where it is nil.
  @inline(__always)
  func payload(_ place: Layout.Place) throws(FiefError) -> UnsafeRawBufferPointer? {
    if isNil(place) { return nil }
    return place.slot >= 0 ? slot(place) : try varying(place)
  }
}
