/// Operations that change a record in place, without changing its length.
extension FieldEdits {
  /// An operation on a column that has a fixed position in records of the current layout.
  struct Patch: Sendable {
    let place: Layout.Place
    let edit: FieldEdit
  }

  /// Returns the operations as patches, or `nil` if an operation may change the length of the record.
  static func patches(_ edits: [FieldEdit], of table: Table) -> [Patch]? {
    var patches: [Patch] = []
    for edit in edits {
      guard let place = table.currentLayout.place(ofColumn: edit.column.id), !place.isConverted,
        place.form == .fixed || place.form == .integer,
        !patches.contains(where: { $0.place.columnID == place.columnID })
      else { return nil }
      switch edit.operation {
      case .set(.some), .increment, .timestamp: patches.append(Patch(place: place, edit: edit))
      case .set(nil), .union, .remove, .embedded: return nil
      }
    }
    return patches
  }

  /// Returns the record with the patches applied, or `nil` if an operation would change its length.
  func patched(_ view: RecordView, in writer: RecordWriter) throws -> [UInt8]? {
    guard let patches, view.layout === table.currentLayout else { return nil }
    var copy = [UInt8](view.bytes)
    let isDone = try copy.withUnsafeMutableBytes { copy in
      for patch in patches {
        if view.isNil(patch.place) { return false }
        do { if try !patch.apply(to: copy, view, writer) { return false } } catch var error as FiefError {
          error.property = error.property ?? patch.edit.name
          throw error
        }
      }
      let body = UnsafeRawBufferPointer(rebasing: copy[Layout.checksumSize...])
      copy.storeBytes(of: RecordChecksum.compute(body).littleEndian, as: UInt32.self)
      return true
    }
    return isDone ? copy : nil
  }
}

extension FieldEdits.Patch {
  /// - Returns: `false` if the value would change its width.
  fileprivate func apply(
    to copy: UnsafeMutableRawBufferPointer,
    _ view: RecordView,
    _ writer: RecordWriter
  ) throws -> Bool {
    let kind = edit.column.type.kind
    let value: DerivedValue
    switch edit.operation {
    case .set(let payload):
      if place.form == .fixed { return put(payload ?? [], to: copy) }
      value = payload.withBytes { DerivedValue($0, kind: kind) }
    case .increment(let increment):
      let before =
        place.form == .integer
        ? DerivedValue.integer(view.integer(place)) : DerivedValue(view.slot(place), kind: kind)
      value = try increment.sum(before, kind)
    case .timestamp: value = writer.time()
    case .union, .remove, .embedded: return false
    }
    switch value {
    case .integer(let number) where place.form == .integer:
      return view.replaceInteger(place, with: number, in: copy)
    case .integer(let number) where kind == .int8:
      copy.storeBytes(of: Int8(truncatingIfNeeded: number), toByteOffset: Int(place.position), as: Int8.self)
    case .floating(let number) where kind == .float:
      let bits = Float(number).bitPattern.littleEndian
      copy.storeBytes(of: bits, toByteOffset: Int(place.position), as: UInt32.self)
    case .floating(let number) where kind == .double || kind == .date:
      copy.storeBytes(
        of: number.bitPattern.littleEndian,
        toByteOffset: Int(place.position),
        as: UInt64.self
      )
    default: return false
    }
    return true
  }

  private func put(_ payload: [UInt8], to copy: UnsafeMutableRawBufferPointer) -> Bool {
    guard payload.count == Int(place.width) else { return false }
    for (index, byte) in payload.enumerated() { copy[Int(place.position) + index] = byte }
    return true
  }
}
