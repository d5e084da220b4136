/// A value that was not yet read from the record of its object. A wrapper can read it without its object.
///
/// Only objects of `Encodable` classes have deferred values. The compiler-generated `encode(to:)` passes the
/// bare wrappers to an encoder, and a wrapper does not know its object.
public final class _DeferredValue {
  private let record: RecordCopy
  private let columnID: UInt16
  private let context: ValueOrigin?

  init(record: RecordCopy, columnID: UInt16, context: ValueOrigin?) {
    self.record = record
    self.columnID = columnID
    self.context = context
  }

  /// Calls `body` with a reader of the value's payload, or returns `nil` if the value is nil.
  func read<Value>(_ body: (inout ValueReader) throws -> Value) throws -> Value? {
    try record.withPayload(ofColumn: columnID) { payload in
      var reader = ValueReader(payload, context: context)
      return try body(&reader)
    }
  }
}
