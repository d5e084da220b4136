/// The record from which the object was read.
extension ObjectBase {
  /// The bytes from which unread links and collections are read.
  final var _record: RecordCopy? {
    @inline(__always)
    get {
      let source = _source
      // SAFETY: an even number is the address of a retained record copy.
      guard source & 1 == 0, let address = UnsafeRawPointer(bitPattern: source) else { return nil }
      return Unmanaged<RecordCopy>.fromOpaque(address).takeUnretainedValue()
    }
    set {
      let former = _source
      _source = newValue.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
      Self.release(former)
    }
  }

  /// The stamp of the stored record whose values the object has, apart from values assigned since. It is the
  /// hash of the record's bytes with the lowest bit set, or 0 if it is unknown.
  ///
  /// The hash has 63 bits. It is computed when a record is read, to verify the record's checksum. Records
  /// with different contents have the same stamp only by chance, or if their bytes were chosen for it.
  final var _stamp: UInt {
    get { _source & 1 == 1 ? _source : _record?.stamp ?? 0 }
    set {
      guard let record = _record else {
        _source = newValue
        return
      }
      if record.stamp != newValue || !record.contents.isEmpty { _record = record.stamped(newValue) }
    }
  }

  /// Copies the record and the stamp of another instance, whose values were copied too.
  final func takeSource(of other: ObjectBase) {
    if let record = other._record { _record = record } else { takeStamp(other._stamp) }
  }

  private final func takeStamp(_ stamp: UInt) {
    let former = _source
    _source = stamp
    Self.release(former)
  }

  // SAFETY: call this only for a source that no object uses any more.
  private static func release(_ source: UInt) {
    guard source & 1 == 0, let address = UnsafeRawPointer(bitPattern: source) else { return }
    Unmanaged<RecordCopy>.fromOpaque(address).release()
  }

  @inline(never)
  final func releaseRecord() {
    Self.release(_source)
    _source = 0
  }
}
