/// Preserves the records of a store while they are replaced. Migrations have the only implementation.
protocol RecordKeeper: AnyObject {
  /// Preserves the record of an object that is about to be replaced or deleted, unless it is already
  /// preserved.
  func keep(_ key: UnsafeRawBufferPointer, of table: Table) throws
}
