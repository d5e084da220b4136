extension ObjectCollection {
  /// The least value of a property; nil where there is none.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Member, Value>) -> Value? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.least() }
    return results.min(of: keyPath)
  }

  /// The least value of an optional property; nil where there is none.
  public func min<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Member, Value?>) -> Value? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.least() }
    return results.min(of: keyPath)
  }

  /// The least value of the property with a name; nil where there is none.
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    if let members = _unstoredMembers { return members.values(property).least() }
    return results.min(ofProperty: property)
  }

  /// The greatest value of a property; nil where there is none.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Member, Value>) -> Value? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.greatest() }
    return results.max(of: keyPath)
  }

  /// The greatest value of an optional property; nil where there is none.
  public func max<Value: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Member, Value?>) -> Value? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.greatest() }
    return results.max(of: keyPath)
  }

  /// The greatest value of the property with a name; nil where there is none.
  public func max<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    if let members = _unstoredMembers { return members.values(property).greatest() }
    return results.max(ofProperty: property)
  }

  /// The sum of a property; 0 where there is no object. One that is in a list twice counts twice.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Member, Value>) -> Value {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.sum() }
    return results.sum(of: keyPath)
  }

  /// The sum of an optional property; 0 where there is no object.
  public func sum<Value: AggregatableNumber>(of keyPath: KeyPath<Member, Value?>) -> Value {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.sum() }
    return results.sum(of: keyPath)
  }

  /// The sum of the property with a name; 0 where there is no object.
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    if let members = _unstoredMembers { return members.values(property).sum() }
    return results.sum(ofProperty: property)
  }

  /// The mean of a property; nil where there is no object.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Member, Value>) -> Double? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.average() }
    return results.average(of: keyPath)
  }

  /// The mean of an optional property; nil where there is no object.
  public func average<Value: AggregatableNumber>(of keyPath: KeyPath<Member, Value?>) -> Double? {
    if let members = _unstoredMembers { return members.compactMap { $0[keyPath: keyPath] }.average() }
    return results.average(of: keyPath)
  }

  /// The mean of the property with a name; nil where there is no object.
  public func average(ofProperty property: String) -> Double? {
    if let members = _unstoredMembers { return members.average(property) }
    return results.average(ofProperty: property)
  }
}
