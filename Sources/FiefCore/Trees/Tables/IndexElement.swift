import LMDB

/// The first element of an index entry: a column's value in the encoding of keys.
package enum IndexElement {
  /// Appends the element for the column's value in a record.
  package static func append(
    _ column: ColumnEntry,
    of table: Table,
    in view: RecordView,
    key: UnsafeRawBufferPointer,
    to writer: inout ValueWriter
  ) throws {
    if let place = view.layout.place(ofColumn: column.id), !place.isConverted, !view.isNil(place) {
      switch (place.form, column.type.kind) {
      case (.integer, _): return append(KeyElementImage(view.integer(place)), to: &writer)
      case (.fixed, .double): return append(KeyElementImage(view.slot(place).leadingDouble), to: &writer)
      case (.fixed, .date): return append(KeyElementImage(date: view.slot(place).leadingDouble), to: &writer)
      default: break
      }
    }
    var encoder = KeyEncoder()
    if let part = table.primaryKey.firstIndex(where: { $0.id == column.id }) {
      var decoder = KeyDecoder(key)
      for _ in 0..<part { try decoder.skip() }
      let rest = decoder.remaining
      try decoder.skip()
      encoder.append(raw: UnsafeRawBufferPointer(rebasing: rest[..<(rest.count - decoder.remaining.count)]))
    } else {
      try table.payload(of: column, in: view) {
        try KeyCoding.append($0, kind: column.type.kind, to: &encoder)
      }
    }
    writer.append(encoder.bytes)
  }

  /// Returns the element for the column's value in a record.
  static func element(
    _ column: ColumnEntry,
    of table: Table,
    in view: RecordView,
    key: UnsafeRawBufferPointer
  ) throws -> [UInt8] {
    var writer = ValueWriter()
    try append(column, of: table, in: view, key: key, to: &writer)
    return writer.bytes
  }

  /// Stores all sixteen bytes at once and then removes the bytes after the element's end.
  @inline(__always)
  static func append(_ image: KeyElementImage, to writer: inout ValueWriter) {
    let start = writer.count
    writer.appendUninitialized(16).storeBytes(of: image.bytes, as: UInt128.self)
    writer.truncate(to: start + image.count)
  }
}

extension IndexElement {
  /// Appends the first element of an entry of an ordered index: the elements of its columns, one after
  /// another.
  ///
  /// In a case-insensitive index, texts are folded. In a unique index, -0.0 is stored as 0.0.
  ///
  /// - Returns: Whether every column has a value that can equal another object's value: neither nil nor NaN.
  package static func append(
    _ index: Table.Index,
    of table: Table,
    in view: RecordView,
    key: UnsafeRawBufferPointer,
    to writer: inout ValueWriter
  ) throws -> Bool {
    var isWhole = true
    for column in index.columns {
      let start = writer.count
      let isFolded = index.entry.isCaseInsensitive && column.type.kind == .string
      if isFolded {
        try table.payload(of: column, in: view, key: key) { append(folded: $0, to: &writer) }
      } else {
        try append(column, of: table, in: view, key: key, to: &writer)
      }
      if !index.entry.isUnique {
        if column.isSecret { try hide(column, of: table, isFolded, at: start, in: &writer) }
        continue
      }
      if writer.address(start).load(as: UInt8.self) == 0 { isWhole = false }
      switch column.type.kind {
      case .double, .date: isWhole = normalize(&writer, at: start + 1, as: UInt64.self) && isWhole
      case .float: isWhole = normalize(&writer, at: start + 1, as: UInt32.self) && isWhole
      case .decimal, .any:
        try table.payload(of: column, in: view, key: key) {
          if let payload = $0, isNotANumber(payload, column.type.kind) { isWhole = false }
        }
      default: break
      }
      if column.isSecret { try hide(column, of: table, isFolded, at: start, in: &writer) }
    }
    return isWhole
  }

  /// Replaces the element of a secret column by its token. The elements of a primary key are already sealed.
  private static func hide(
    _ column: ColumnEntry,
    of table: Table,
    _ isFolded: Bool,
    at start: Int,
    in writer: inout ValueWriter
  ) throws {
    if !isFolded, table.primaryKey.contains(where: { $0.id == column.id }) { return }
    guard let secrets = table.secrets else { throw Catalogue.damaged }
    switch column.type.kind {
    case .double, .date: _ = normalize(&writer, at: start + 1, as: UInt64.self)
    case .float: _ = normalize(&writer, at: start + 1, as: UInt32.self)
    default: break
    }
    secrets.replaceByToken(column.id, isFolded: isFolded, at: start, in: &writer)
  }

  private static func append(folded text: UnsafeRawBufferPointer?, to writer: inout ValueWriter) {
    var encoder = KeyEncoder()
    if let text {
      let folded = TextFolding.fold(text, caseInsensitive: true, diacriticInsensitive: false)
      folded.withUnsafeBytes { encoder.append(string: String(decoding: $0, as: UTF8.self)) }
    } else {
      encoder.appendNull()
    }
    writer.append(encoder.bytes)
  }

  private static func isNotANumber(_ payload: UnsafeRawBufferPointer, _ kind: ColumnType.Kind) -> Bool {
    switch kind {
    case .float: payload.count == 4 && payload.leadingFloat.isNaN
    case .double, .date: payload.count == 8 && payload.leadingDouble.isNaN
    case .decimal: payload.first == DecimalCoding.notANumber
    case .any:
      payload.first.flatMap { ColumnType.Kind(rawValue: $0) }.map {
        $0 != .any && isNotANumber(UnsafeRawBufferPointer(rebasing: payload[1...]), $0)
      } ?? false
    default: false
    }
  }

  /// Replaces -0.0 by 0.0 in an element that was just appended. Returns `false` for NaN.
  private static func normalize<Image: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ writer: inout ValueWriter,
    at start: Int,
    as type: Image.Type
  ) -> Bool {
    // A nil element consists of its tag.
    guard writer.count - start == MemoryLayout<Image>.size else { return true }
    let image = Image(bigEndian: writer.address(start).loadUnaligned(as: Image.self))
    let zero = Image(1) << (Image.bitWidth - 1)
    if image == zero - 1 { writer.address(start).storeBytes(of: zero.bigEndian, as: Image.self) }
    // An infinity has all exponent bits set and all fraction bits clear.
    let signAndExponent = Image.bitWidth == 64 ? 12 : 9
    let fraction = Image.bitWidth - signAndExponent
    let infinity = ((zero - 1) >> fraction) << fraction
    let magnitude = image >= zero ? image - zero : ~image - zero
    return magnitude <= infinity
  }
}
