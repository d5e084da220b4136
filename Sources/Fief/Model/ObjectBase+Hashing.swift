extension ObjectBase {
  func hashKey(into hasher: inout Hasher) {
    let primaryKey = descriptor.primaryKey
    if primaryKey.isEmpty {
      if _rowID != 0 { hasher.combine(_rowID) } else { hasher.combine(ObjectIdentifier(self)) }
      return
    }
    for index in primaryKey {
      var writer = ValueWriter()
      try? value(of: descriptor.properties[index])._append(to: &writer)
      hasher.combine(writer.bytes)
    }
  }
}
