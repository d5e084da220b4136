// Names of earlier versions. Each is an alias of the new one, so that code that uses it compiles with a warning.

@available(*, deprecated, renamed: "MultiStoreTransaction")
public typealias JointWrite = MultiStoreTransaction

@available(*, deprecated, renamed: "InDoubtTransaction")
public typealias UnfinishedWrite = InDoubtTransaction

@available(*, deprecated, renamed: "CrossStoreResolution.Reason")
public typealias CrossStoreMissing = CrossStoreResolutionReason

@available(*, deprecated, renamed: "IntegrityReport")
public typealias StoreCheck = IntegrityReport

@available(*, deprecated, renamed: "IndexDefinition")
public typealias Index = IndexDefinition

@available(*, deprecated, renamed: "IndexOptions")
public typealias PersistedIndex = IndexOptions

@available(*, deprecated, renamed: "PropertySchema")
public typealias DynamicColumn = PropertySchema

@available(*, deprecated, renamed: "PropertySchema")
public typealias MigrationProperty = PropertySchema

@available(*, deprecated, renamed: "ChangeSequence")
public typealias ObservedChanges = ChangeSequence

extension InDoubtTransaction {
  @available(*, deprecated, renamed: "relativePath")
  public var otherPath: String { relativePath }
}

extension IntegrityReport {
  @available(*, deprecated, renamed: "isConsistent")
  public var isWhole: Bool { isConsistent }
}

extension StoreMetrics {
  @available(*, deprecated, renamed: "lookups")
  public var passes: UInt64 { lookups }

  @available(*, deprecated, renamed: "matchedRows")
  public var visitedRows: UInt64 { matchedRows }
}

extension Derivation {
  @available(*, deprecated, renamed: "min(of:)")
  public static func minimum(of path: String) -> Derivation { .min(of: path) }

  @available(*, deprecated, renamed: "min(of:_:)")
  public static func minimum<Root: ObjectBase, Target: ObjectBase>(
    of relationship: PartialKeyPath<Root>,
    _ property: PartialKeyPath<Target>
  ) -> Derivation {
    .min(of: relationship, property)
  }

  @available(*, deprecated, renamed: "max(of:)")
  public static func maximum(of path: String) -> Derivation { .max(of: path) }

  @available(*, deprecated, renamed: "max(of:_:)")
  public static func maximum<Root: ObjectBase, Target: ObjectBase>(
    of relationship: PartialKeyPath<Root>,
    _ property: PartialKeyPath<Target>
  ) -> Derivation {
    .max(of: relationship, property)
  }
}

extension GroupAggregate {
  @available(*, deprecated, renamed: "min(_:)")
  public static func minimum<Wrapped: Persistable & RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Wrapped>
  ) -> Self where Value == Wrapped? {
    .min(keyPath)
  }

  @available(*, deprecated, renamed: "min(_:)")
  public static func minimum<Wrapped: Persistable & RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Wrapped?>
  ) -> Self where Value == Wrapped? {
    .min(keyPath)
  }

  @available(*, deprecated, renamed: "max(_:)")
  public static func maximum<Wrapped: Persistable & RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Wrapped>
  ) -> Self where Value == Wrapped? {
    .max(keyPath)
  }

  @available(*, deprecated, renamed: "max(_:)")
  public static func maximum<Wrapped: Persistable & RealmCollectionValue>(
    _ keyPath: KeyPath<Element, Wrapped?>
  ) -> Self where Value == Wrapped? {
    .max(keyPath)
  }

  @available(*, deprecated, renamed: "min(_:)")
  public static func minimum<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped>
  ) -> Self where Value == Wrapped? {
    .min(values)
  }

  @available(*, deprecated, renamed: "min(_:)")
  public static func minimum<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped?>
  ) -> Self where Value == Wrapped? {
    .min(values)
  }

  @available(*, deprecated, renamed: "max(_:)")
  public static func maximum<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped>
  ) -> Self where Value == Wrapped? {
    .max(values)
  }

  @available(*, deprecated, renamed: "max(_:)")
  public static func maximum<Wrapped: Persistable & RealmCollectionValue>(
    _ values: (Query<Element>) -> Query<Wrapped?>
  ) -> Self where Value == Wrapped? {
    .max(values)
  }
}
