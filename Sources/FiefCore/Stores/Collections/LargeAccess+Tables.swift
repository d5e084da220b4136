/// Large sets and maps in a scope.
extension LargeAccess {
  /// Returns the bytes of an element of the collection, or `nil` for an object that is not in a store.
  func key<Element: RealmCollectionValue>(of element: Element) throws -> [UInt8]? {
    guard let object = element as? ObjectBase else {
      guard type.kind == .any, let value = element as? AnyRealmValue else { return try bytes(of: element) }
      if !isStored(value) { return nil }
      var writer = ValueWriter()
      try value._appendElement(to: &writer)
      return inSet(writer.bytes)
    }
    guard let key = scope.context.key(of: object, as: Element._linkType) else { return nil }
    return (type.isOptional ? [1] : []) + key
  }

  /// Returns the bytes of an element of a set, and the other bytes with which the tree may contain the same
  /// element.
  func forms(of bytes: [UInt8]) -> [[UInt8]] {
    [bytes] + (CollectionPayload.otherForm(of: bytes, type: type).map { [$0] } ?? [])
  }

  /// Whether each object of a value is in the store. Searching for a value saves no object.
  private func isStored(_ value: AnyRealmValue) -> Bool {
    var isStored = true
    value.forEachObject { object in
      if let link = object as? UndeclaredObject {
        isStored = isStored && link.storeID == scope.store.storeID
      } else {
        let origin = object._wasDeleted ? nil : object._context?.store
        isStored = isStored && origin?.isSame(as: scope.store) ?? false
      }
    }
    return isStored
  }

  /// Returns the element at an index of a set, or `nil` for an index out of bounds or a deleted object.
  /// Preceding elements are skipped without being created.
  func element<Element: RealmCollectionValue>(at place: Int, in table: LargeTable) throws -> Element? {
    var runs = try LargeRuns(table, toward: place)
    var first = runs.place
    while let run = try runs.next() {
      defer { first += run.count }
      guard place < first + run.count else { continue }
      if Element._linkType == nil {
        return try CollectionCoding.elements(Element.self, of: run, context: scope.context)[place - first]
      }
      let slots = try ElementSlots<Element>(run.bytes, from: 0, count: run.count, context: scope.context)
      slots.access = self
      return slots.element(at: place - first)
    }
    return nil
  }

  /// Returns the value of a key in a map.
  func value<Value: RealmCollectionValue>(of key: String, in table: LargeTable) -> Value? {
    attempt(nil) {
      let bytes = try Array(key.utf8).withUnsafeBytes {
        try table.withElement(of: $0) { $0.map { [UInt8]($0) } }
      }
      guard let bytes else { return nil }
      return try bytes.withUnsafeBytes { bytes in
        var reader = ValueReader(bytes, context: scope.context)
        return try Value._readElement(from: &reader)
      }
    }
  }

  /// Sets the value of a key in a map, or removes the key if the value is nil.
  func set<Value: RealmCollectionValue>(_ value: Value?, of key: String, in table: LargeTable) {
    change { writer, owner in
      let name = Array(key.utf8)
      let bytes = try value.flatMap { try self.bytes(of: $0) }
      try name.withUnsafeBytes { name in
        try bytes.withBytes { try writer.set($0, of: name, in: table, owner) }
      }
    }
  }

  /// Returns the entries of a map.
  func entries<Value: RealmCollectionValue>(of table: LargeTable) -> [(key: String, value: Value)] {
    attempt([]) {
      let payload = try table.payload()
      if Value._linkType != nil { return try LinkedEntries<Value>(payload, context: scope.context).entries }
      return try payload.withUnsafeBytes { bytes in
        var reader = ValueReader(bytes, context: scope.context)
        return try CollectionCoding.readEntries(Value.self, from: &reader)
      }
    }
  }
}
