/// The record from which an object was read.
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

  /// The stamp of the stored record from which the object has its values, apart from values assigned since.
  /// It is the hash of the record's bytes with the lowest bit set, or 0 if it is unknown.
  ///
  /// The hash has 63 bits. It is available when a record is read, because the record's checksum is derived
  /// from it. Records with different contents have the same stamp only by chance, or if their bytes were
  /// chosen for it.
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

  /// Takes the record and the stamp of another instance whose values this object takes.
  final func takeSource(of other: ObjectBase) {
    if let record = other._record { _record = record } else { takeStamp(other._stamp) }
  }

  private final func takeStamp(_ stamp: UInt) {
    let former = _source
    _source = stamp
    Self.release(former)
  }

  // SAFETY: only for a source that no object has any more.
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
