extension ObjectCollection {
  /// Returns the minimum value of a property, or `nil` if there are no objects.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Member, Value>) -> Value? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.least() }
    return results.min(of: keyPath)
  }

  /// Returns the minimum value of an optional property, or `nil` if no object has a value.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Member, Value?>) -> Value? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.least() }
    return results.min(of: keyPath)
  }

  /// Returns the minimum value of the named property, or `nil` if no object has a value.
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    if let members = _unstoredMembers { return members.values(property).least() }
    return results.min(ofProperty: property)
  }

  /// Returns the maximum value of a property, or `nil` if there are no objects.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Member, Value>) -> Value? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.greatest() }
    return results.max(of: keyPath)
  }

  /// Returns the maximum value of an optional property, or `nil` if no object has a value.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Member, Value?>) -> Value? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.greatest() }
    return results.max(of: keyPath)
  }

  /// Returns the maximum value of the named property, or `nil` if no object has a value.
  public func max<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    if let members = _unstoredMembers { return members.values(property).greatest() }
    return results.max(ofProperty: property)
  }

  /// Returns the sum of a property, or 0 if there are no objects. An object that is in a list twice counts
  /// twice.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Member, Value>) -> Value {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.sum() }
    return results.sum(of: keyPath)
  }

  /// Returns the sum of an optional property, or 0 if no object has a value.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Member, Value?>) -> Value {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.sum() }
    return results.sum(of: keyPath)
  }

  /// Returns the sum of the named property, or 0 if no object has a value.
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    if let members = _unstoredMembers { return members.values(property).sum() }
    return results.sum(ofProperty: property)
  }

  /// Returns the mean of a property, or `nil` if there are no objects.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Member, Value>) -> Double? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.average() }
    return results.average(of: keyPath)
  }

  /// Returns the mean of an optional property, or `nil` if no object has a value.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Member, Value?>) -> Double? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.average() }
    return results.average(of: keyPath)
  }

  /// Returns the mean of the named property, or `nil` if no object has a value.
  public func average(ofProperty property: String) -> Double? {
    if let members = _unstoredMembers { return members.average(property) }
    return results.average(ofProperty: property)
  }
}
