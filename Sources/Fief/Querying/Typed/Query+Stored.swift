extension Query where Value: PersistableEnum {
  /// What is stored of the case.
  public var rawValue: Query<Value.RawValue> { Query<Value.RawValue>(term) }
}

extension Query where Value: _CustomPersistable {
  /// What is stored of the value.
  public var persistableValue: Query<Value.PersistedType> { Query<Value.PersistedType>(term) }
}
