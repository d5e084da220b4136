/// Dictionary operations.
extension Map {
  /// Sets the value of a key.
  ///
  /// - Returns: the former value, or `nil` if the key had none.
  @discardableResult
  public func updateValue(_ value: Value, forKey key: String) -> Value? {
    willChange()
    let former = self[key]
    self[key] = value
    return former
  }

  /// Removes the entry of a key.
  ///
  /// - Returns: the former value, or `nil` if the key had none.
  @discardableResult
  public func removeValue(forKey key: String) -> Value? {
    willChange()
    let former = self[key]
    self[key] = nil
    return former
  }

  /// The value for a key, or a default value if the key does not exist.
  ///
  /// Assigning sets the key's value: `person.visits["Bonn", default: 0] += 1`.
  public subscript(key: String, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    set { self[key] = newValue }
  }

  /// Adds entries. If a key exists, a closure combines its current value with the new value.
  public func merge<Entries: Sequence>(
    _ entries: Entries,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where Entries.Element == (String, Value) {
    willChange()
    for (key, value) in Array(entries) {
      self[key] = try self[key].map { try combine($0, value) } ?? value
    }
  }

  /// Adds the entries of a dictionary or another map. If a key exists, a closure combines its current value
  /// with the new value.
  public func merge<Entries: Sequence>(
    _ entries: Entries,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where Entries.Element == (key: String, value: Value) {
    try merge(entries.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
  }

  /// Adds the entries of another map. Existing values are replaced.
  public func merge(_ other: Map) { merge(other, uniquingKeysWith: { _, new in new }) }

  /// Returns the keys with the results of calling a closure with their values. Deleted objects are skipped.
  public func mapValues<Result>(_ transform: (Value) throws -> Result) rethrows -> [String: Result] {
    try dictionary.mapValues(transform)
  }

  /// Returns the keys with the results of calling a closure with their values. Keys for which the closure
  /// returns `nil` are omitted.
  public func compactMapValues<Result>(
    _ transform: (Value) throws -> Result?
  ) rethrows -> [String: Result] {
    try dictionary.compactMapValues(transform)
  }

  /// Removes the entries that meet a condition.
  public func removeAll(where shouldRemove: ((key: String, value: Value)) throws -> Bool) rethrows {
    willChange()
    for entry in Array(self) where try shouldRemove(entry) { self[entry.key] = nil }
    willChangeUnread()
  }
}
