#if !canImport(ObjectiveC)
  import LMDB

  /// The type of a class's field, read from its mangled name.
  enum FieldType {
    case persisted(any PersistedField.Type)
    /// A type that is not ``Persisted``.
    case other
    /// A type that only the runtime can determine.
    case unknown

    /// Reads type names. It is `nil` before the first store is opened, in which case the runtime is used.
    ///
    /// Names can refer to collections, which are defined in a higher layer. The registry of open stores
    /// therefore sets ``PersistedTypeName`` here.
    static let reader = OwnedLock<StoredFunction<@Sendable (MangledTypeName) -> FieldType>?>(nil)
  }
#endif
