extension MutableSet {
  func append(to writer: inout ValueWriter) throws {
    if let table = largeTable { return writer.append(try table.marker().payload) }
    try checkSavable()
    noteSave(by: writer.graph, areLinks: Self.areLinks)
    try appendElements(to: &writer, count: slots?.count ?? elements.count) {
      try append(from: 0, to: &$0)
    } additions: { stored, writer in
      try append(from: stored.count, to: &writer)
    }
  }

  private func append(from first: Int, to writer: inout ValueWriter) throws {
    var payloads: [[UInt8]] = []
    if let slots {
      payloads.reserveCapacity(slots.count - first)
      try slots.forEachRaw(at: first..<slots.count, graph: writer.graph) { payloads.append([UInt8]($1)) }
    } else {
      payloads = try elements[first...].map { element in
        var payload = ValueWriter(graph: writer.graph)
        try element._appendElement(to: &payload)
        return payload.bytes
      }
    }
    // Objects that were assigned the same key after they were inserted are one object in the store.
    CollectionPayload.appendSet(of: payloads, type: Element._payloadType, to: &writer)
  }
}
