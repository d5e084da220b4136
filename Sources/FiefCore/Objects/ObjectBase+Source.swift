/// The record that an object was read from.
extension ObjectBase {
  /// The bytes that unresolved links and collections are read from.
  final var _record: RecordCopy? {
    @inline(__always)
    get {
      let source = _source
      // SAFETY: an even number is the address of a record copy that is counted.
      guard source & 1 == 0, let address = UnsafeRawPointer(bitPattern: source) else { return nil }
      return Unmanaged<RecordCopy>.fromOpaque(address).takeUnretainedValue()
    }
    set {
      let former = _source
      _source = newValue.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
      Self.release(former)
    }
  }

  /// The stamp of the stored record whose values the object has, but for those that were assigned since: the hash of its bytes,
  /// made odd. 0 where it is not known.
  ///
  /// It has 63 bits, which are at hand when a record is read, since its checksum is made of them. Records of different contents
  /// have the same stamp only by chance, or where their bytes were chosen for it.
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

  /// Takes the record and the stamp of another instance, with whose values.
  final func takeSource(of other: ObjectBase) {
    if let record = other._record { _record = record } else { takeStamp(other._stamp) }
  }

  private final func takeStamp(_ stamp: UInt) {
    let former = _source
    _source = stamp
    Self.release(former)
  }

  // SAFETY: only for a source that is in no object any more.
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
