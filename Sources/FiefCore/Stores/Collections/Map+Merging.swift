/// Operations of dictionaries.
extension Map {
  /// Sets the value of a key.
  ///
  /// - Returns: the value that it had; nil where there was none.
  @discardableResult
  public func updateValue(_ value: Value, forKey key: String) -> Value? {
    willChange()
    let former = self[key]
    self[key] = value
    return former
  }

  /// Removes the entry of a key.
  ///
  /// - Returns: the value that it had; nil where there was none.
  @discardableResult
  public func removeValue(forKey key: String) -> Value? {
    willChange()
    let former = self[key]
    self[key] = nil
    return former
  }

  /// The value for a key, or another one where the key has none.
  ///
  /// Assigning sets the key's value: `person.visits["Bonn", default: 0] += 1`.
  public subscript(key: String, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    set { self[key] = newValue }
  }

  /// Adds entries; a closure combines the present value and the new one of an existing key.
  public func merge<Entries: Sequence>(
    _ entries: Entries,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where Entries.Element == (String, Value) {
    willChange()
    for (key, value) in Array(entries) {
      self[key] = try self[key].map { try combine($0, value) } ?? value
    }
  }

  /// Adds the entries of a dictionary or of another map; a closure combines the present value and the new one
  /// of an existing key.
  public func merge<Entries: Sequence>(
    _ entries: Entries,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where Entries.Element == (key: String, value: Value) {
    try merge(entries.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
  }

  /// Adds the entries of another map; a value that is there is replaced.
  public func merge(_ other: Map) { merge(other, uniquingKeysWith: { _, new in new }) }

  /// The keys with the results of a closure for their values, without objects that are gone.
  public func mapValues<Result>(_ transform: (Value) throws -> Result) rethrows -> [String: Result] {
    try dictionary.mapValues(transform)
  }

  /// The keys with the results of a closure for their values, without those for which it returns nil.
  public func compactMapValues<Result>(
    _ transform: (Value) throws -> Result?
  ) rethrows -> [String: Result] {
    try dictionary.compactMapValues(transform)
  }

  /// Removes the entries for which a condition holds.
  public func removeAll(where shouldRemove: ((key: String, value: Value)) throws -> Bool) rethrows {
    willChange()
    for entry in Array(self) where try shouldRemove(entry) { self[entry.key] = nil }
    willChangeUnread()
  }
}
