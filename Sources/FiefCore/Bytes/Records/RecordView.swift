import LMDB

/// Reads the columns of a record without copying the record.
///
/// Creating a view checks the sizes, so that reading a column stays within the bytes. The checksum is
/// verified by ``verifyChecksum(_:of:)`` when an object is decoded.
package struct RecordView {
  /// The numbers of a layout, without a counted reference, because a view is created for each record that is
  /// read.
  struct Shape: @unchecked Sendable {
    // SAFETY: the layout belongs to a table, which the users of the shape and of its views keep alive.
    fileprivate let layout: Unmanaged<Layout>
    fileprivate let integersOffset: Int
    fileprivate let integerCount: Int
    fileprivate let varyingCount: Int
    fileprivate let endsCount: Int
    /// The minimum size of a record, in bytes.
    fileprivate let leastCount: Int
    /// The offset of the integers minus the bytes that the lookup table counts for unused codes in the last
    /// byte.
    fileprivate let integersBase: Int
    /// The offset of the last byte with codes, and the mask of the bits that are codes of integers.
    fileprivate let lastCodes: Int
    fileprivate let lastMask: UInt8
    // SAFETY: never freed.
    fileprivate let sums: UnsafePointer<UInt8>

    init(_ layout: Layout) {
      self.layout = .passUnretained(layout)
      integersOffset = layout.integersOffset
      integerCount = layout.integerCount
      varyingCount = layout.varyingCount
      endsCount = layout.endsCount
      leastCount = max(Layout.headerSize, layout.integersOffset + layout.integerCount)
      let codes = (layout.integerCount + 3) / 4
      integersBase = layout.integersOffset - (4 * codes - layout.integerCount)
      lastCodes = Layout.headerSize + codes - 1
      lastMask = 0xFF >> UInt8(2 * (4 * codes - layout.integerCount))
      sums = IntegerWidths.sums
    }

    /// Returns the end of a record's integers. The record must have at least `leastCount` bytes.
    @inline(__always)
    fileprivate func integersEnd(_ bytes: UnsafeRawBufferPointer) -> Int {
      guard lastCodes >= Layout.headerSize else { return integersBase }
      var end = integersBase
      if _slowPath(lastCodes > Layout.headerSize) {
        for byte in Layout.headerSize..<lastCodes { end &+= Int(sums[Int(bytes[byte])]) }
      }
      return end &+ Int(sums[Int(bytes[lastCodes] & lastMask)])
    }
  }

  package let bytes: UnsafeRawBufferPointer
  // SAFETY: the shape belongs to the table, which the user of the view keeps alive.
  private let shape: UnsafePointer<Shape>
  private let endsWidth: Int
  private let endsOffset: Int
  private let varyingStart: Int

  /// Returns the layout version in the head of a record.
  @inline(__always)
  static func layoutVersion(_ bytes: UnsafeRawBufferPointer) throws(FiefError) -> UInt16 {
    guard bytes.count >= Layout.headerSize else { throw damaged }
    return head(bytes) & Layout.versionMask
  }

  @inline(__always)
  private static func head(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
    UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: Layout.checksumSize, as: UInt16.self))
  }

  // SAFETY: the caller keeps `bytes` alive and unchanged while the view is used.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, _ shape: UnsafePointer<Shape>) throws(FiefError) {
    guard bytes.count >= shape.pointee.leastCount else { throw Self.damaged }
    let code = Self.head(bytes) >> Layout.endsWidthShift
    guard code <= 2 else { throw Self.damaged }
    self.bytes = bytes
    self.shape = shape
    endsWidth = 1 &<< Int(code)
    endsOffset = shape.pointee.integersEnd(bytes)
    varyingStart = endsOffset &+ shape.pointee.endsCount &* endsWidth
    guard bytes.count >= varyingStart else { throw Self.damaged }
  }

  package var layout: Layout { shape.pointee.layout.takeUnretainedValue() }

  /// Returns the place of a column; `nil` if the record is older than the column.
  package func place(ofColumn id: UInt16) -> Layout.Place? {
    // SAFETY: the layout lives as long as the view.
    shape.pointee.layout._withUnsafeGuaranteedRef { $0.place(ofColumn: id) }
  }

  package static var damaged: FiefError {
    FiefError(.damagedRecord, "A record is damaged.")
  }

  /// The difference between the stored checksum and the checksum of the bytes: zero, or the hash of the key.
  @inline(__always)
  var checksumDifference: UInt32 { checksumDifference(contentHash) }

  /// Returns ``checksumDifference`` for a record whose bytes have a known hash.
  @inline(__always)
  func checksumDifference(_ contentHash: UInt64) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) ^ RecordChecksum.of(contentHash)
  }

  /// The hash of the bytes after the checksum.
  @inline(__always)
  var contentHash: UInt64 { StableHash.hash(UnsafeRawBufferPointer(rebasing: bytes[Layout.checksumSize...])) }

  @inline(__always)
  package func isNil(_ place: Layout.Place) -> Bool {
    place.nullBit >= 0 && bit(place.nullBit)
  }

  /// Returns one of the bits, such as the value of a column of the form `bit`.
  @inline(__always)
  func bit(_ position: Int32) -> Bool {
    bytes[Layout.headerSize + Int(position >> 3)] & (1 << UInt8(truncatingIfNeeded: position & 7)) != 0
  }

  /// Returns the bytes of a column of the form `fixed`.
  @inline(__always)
  func slot(_ place: Layout.Place) -> UnsafeRawBufferPointer {
    let start = Int(place.position)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(place.width))])
  }

  // MARK: Integers

  /// Returns the width code of an integer: 0 to 3 for 1, 2, 4 and 8 bytes.
  @inline(__always)
  private static func widthCode(ofInteger ordinal: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    Int(bytes[Layout.headerSize + ordinal >> 2] >> UInt8(truncatingIfNeeded: (ordinal & 3) << 1)) & 3
  }

  @inline(__always)
  private static func offset(
    ofInteger ordinal: Int,
    in bytes: UnsafeRawBufferPointer,
    _ shape: UnsafePointer<Shape>
  )
    -> Int
  {
    var offset = shape.pointee.integersOffset
    for earlier in 0..<ordinal { offset &+= 1 &<< widthCode(ofInteger: earlier, in: bytes) }
    return offset
  }

  /// Returns the value of a column of the form `integer`.
  @inline(__always)
  func integer(_ place: Layout.Place) -> Int64 {
    let ordinal = Int(place.position)
    return integer(ordinal, at: Self.offset(ofInteger: ordinal, in: bytes, shape))
  }

  @inline(__always)
  private func integer(_ ordinal: Int, at offset: Int) -> Int64 {
    switch Self.widthCode(ofInteger: ordinal, in: bytes) {
    case 0: Int64(bytes.load(fromByteOffset: offset, as: Int8.self))
    case 1: Int64(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)))
    case 2: Int64(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
    default: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))
    }
  }

  /// Replaces an integer in a copy of the record.
  ///
  /// - Returns: false if the value has another width; the record then has to be encoded again.
  func replaceInteger(
    _ place: Layout.Place,
    with value: Int64,
    in copy: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let ordinal = Int(place.position)
    let code = Self.widthCode(ofInteger: ordinal, in: bytes)
    guard copy.count == bytes.count, RecordBuilder.widthCode(of: value) == code else { return false }
    let offset = Self.offset(ofInteger: ordinal, in: bytes, shape)
    withUnsafeBytes(of: value.littleEndian) { value in
      for index in 0..<(1 &<< code) { copy[offset + index] = value[index] }
    }
    return true
  }

  /// Reads the integers in sequence, without computing the offset of each.
  struct IntegerCursor {
    private var ordinal = 0
    private var offset: Int

    init(_ view: RecordView) { offset = view.shape.pointee.integersOffset }

    /// Returns the value of the next column of the form `integer`, in the order of the layout.
    @inline(__always)
    mutating func next(in view: RecordView) -> Int64 {
      let value = view.integer(ordinal, at: offset)
      offset &+= 1 &<< RecordView.widthCode(ofInteger: ordinal, in: view.bytes)
      ordinal &+= 1
      return value
    }
  }

  // MARK: Varying columns

  @inline(__always)
  private func end(_ ordinal: Int) -> Int {
    if ordinal == shape.pointee.varyingCount &- 1 { return bytes.count }
    let offset = endsOffset &+ ordinal &* endsWidth
    let end: Int
    switch endsWidth {
    case 1: end = Int(bytes[offset])
    case 2: end = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    default: end = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    return varyingStart &+ end
  }

  /// Returns the bytes of a column of the form `varying`.
  @inline(__always)
  package func varying(_ place: Layout.Place) throws(FiefError) -> UnsafeRawBufferPointer {
    let ordinal = Int(place.position)
    let start = ordinal == 0 ? varyingStart : end(ordinal &- 1)
    let end = end(ordinal)
    guard start <= end, end <= bytes.count else { throw Self.damaged }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }

  // MARK: Payloads

  /// Calls `body` with the payload of a column, or with `nil` if it is nil. The bytes are valid until `body`
  /// returns.
  @inline(__always)
  package func withPayload<Result>(
    _ place: Layout.Place,
    _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    if isNil(place) { return try body(nil) }
    switch place.form {
    case .fixed: return try body(slot(place))
    case .varying: return try body(try varying(place))
    case .bit:
      return try withUnsafeBytes(of: UInt8(bit(place.position) ? 1 : 0)) { try body($0) }
    case .integer:
      // The bytes are little-endian, so the lower bytes of the value are the payload of a narrower type.
      return try withUnsafeBytes(of: integer(place).littleEndian) {
        try body(UnsafeRawBufferPointer(rebasing: $0[..<Int(place.width)]))
      }
    }
  }
}
