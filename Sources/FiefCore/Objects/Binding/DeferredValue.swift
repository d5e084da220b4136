/// A value that is still in the record it was read from: a wrapper reads it without its object.
///
/// Only objects of `Encodable` classes have deferred values. The compiler's own `encode(to:)` hands an
/// encoder the bare wrappers, which do not know the object they are part of.
public final class _DeferredValue {
  private let record: RecordCopy
  private let columnID: UInt16
  private let context: ValueOrigin?

  init(record: RecordCopy, columnID: UInt16, context: ValueOrigin?) {
    self.record = record
    self.columnID = columnID
    self.context = context
  }

  /// Hands `body` the value's payload; nil where the value is nil.
  func read<Value>(_ body: (inout ValueReader) throws -> Value) throws -> Value? {
    try record.withPayload(ofColumn: columnID) { payload in
      var reader = ValueReader(payload, context: context)
      return try body(&reader)
    }
  }
}
