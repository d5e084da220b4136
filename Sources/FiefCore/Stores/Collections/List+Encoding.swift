extension List {
  func append(to writer: inout ValueWriter) throws {
    guard let contents = current else {
      try checkSavable()
      noteSave(by: writer.graph, areLinks: Self.areLinks)
      return try appendElements(to: &writer, count: values.count) {
        try CollectionCoding.append(values, to: &$0)
      } additions: { stored, writer in
        try CollectionCoding.append(Array(values[stored.count...]), to: &writer)
      }
    }
    guard let known = contents as? SlotContents<Element> else { return try contents.append(to: &writer) }
    noteSave(by: writer.graph, areLinks: true)
    try appendElements(to: &writer, count: known.count) {
      try known.append(to: &$0)
    } additions: { stored, writer in
      try known.append(stored.count..<known.count, to: &writer)
    }
  }
}
