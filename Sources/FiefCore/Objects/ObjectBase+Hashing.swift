extension ObjectBase {
  /// The values of the primary key as bytes that can be hashed and compared.
  var primaryKeyBytes: [UInt8] {
    var writer = ValueWriter()
    for index in descriptor.primaryKey {
      writer.appendSized { try? value(of: descriptor.properties[index])._append(to: &$0) }
    }
    return writer.bytes
  }
}
