/// A link in a value of any type: the id of the object's type and the object's key.
///
/// The payload consists of the id, 4 bytes, and the key.
package struct ObjectReference: Hashable {
  package let type: UInt32
  package let key: [UInt8]

  package init(type: UInt32, key: [UInt8]) {
    self.type = type
    self.key = key
  }

  /// - Parameter reader: a reader whose remaining bytes are the link.
  /// - Throws: ``FiefError`` of code `damagedRecord`.
  package init(from reader: inout ValueReader) throws(FiefError) {
    type = try reader.integer(UInt32.self)
    key = [UInt8](reader.remaining())
    guard ObjectKey.lengths.contains(key.count) else { throw RecordView.damaged }
  }

  package func append(to writer: inout ValueWriter) {
    writer.appendInteger(type)
    writer.append(key)
  }
}
