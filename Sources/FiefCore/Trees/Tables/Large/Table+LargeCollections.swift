extension Table {
  /// Whether a record contains a large collection, or a collection that becomes large when the record is
  /// written.
  func hasLargeCollections(_ record: UnsafeRawBufferPointer) throws -> Bool {
    // A marker takes seventeen bytes.
    guard !collections.isEmpty, record.count > 20 else { return false }
    let view = try view(record)
    for id in collectionIDs {
      guard let place = view.layout.place(ofColumn: id), place.form == .varying else { continue }
      let payload = try view.varying(place)
      if payload.count > CollectionPayload.inlineLimit || CollectionMarker.isMarker(payload) { return true }
    }
    return false
  }
}
