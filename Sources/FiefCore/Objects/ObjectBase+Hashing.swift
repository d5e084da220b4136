extension ObjectBase {
  /// The values of the primary key, as something to hash and to compare.
  var primaryKeyBytes: [UInt8] {
    var writer = ValueWriter()
    for index in descriptor.primaryKey {
      writer.appendSized { try? value(of: descriptor.properties[index])._append(to: &$0) }
    }
    return writer.bytes
  }
}
