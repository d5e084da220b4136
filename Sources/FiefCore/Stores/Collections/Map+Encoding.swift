extension Map {
  func append(to writer: inout ValueWriter) throws {
    if let table = largeTable { return writer.append(try table.marker().payload) }
    try checkSavable()
    noteSave(by: writer.graph, areLinks: Self.areLinks)
    try appendElements(to: &writer, count: linked?.count ?? entries.count) { writer in
      if let linked { return try linked.append(to: &writer) }
      try append(Array(entries), to: &writer)
    } additions: { stored, writer in
      if let linked { return try linked.append(stored.names, to: &writer) }
      try append(stored.names.compactMap { name in entries[name].map { (name, $0) } }, to: &writer)
    }
  }

  private func append(_ entries: [(key: ExactText, value: Value)], to writer: inout ValueWriter) throws {
    writer.appendCount(entries.count)
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      writer.appendSized { $0.append(key.text) }
      try CollectionPayload.appendElement(of: Value._elementType, to: &writer) {
        try value._appendElement(to: &$0)
      }
    }
  }
}
