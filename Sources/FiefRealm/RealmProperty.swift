/// Not available: an optional property is one of an optional type.
@available(*, unavailable, message: "write @Persisted var number: Int?, and leave .value out")
public enum RealmProperty<Value> {}

/// Not available: an optional property is one of an optional type.
@available(*, unavailable, message: "write @Persisted var number: Int?, and leave .value out")
public enum RealmOptional<Value> {}
