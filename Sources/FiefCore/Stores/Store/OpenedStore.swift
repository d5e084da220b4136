import Dispatch
import LMDB

/// The result of opening a store, from which a ``StoreCore`` is created.
package struct OpenedStore {
  let name: String
  let directory: String
  let isInMemory: Bool
  let isReadOnly: Bool
  /// Whether commits are synced to disk as the options specify; false for a store in memory.
  let isSynchronized: Bool
  package let environment: LMDB.Environment
  let catalogue: Catalogue
  let tables: StoreTables
  let schema: DeclaredSchema
  let queueLimits: WriteQueueLimits
  /// The number of bytes that the sort of a query may use.
  let sortMemory: Int
  let reinsertsDeletedObjects: Bool
  let observesLinkedObjects: Bool
  let reporter: EventReporter
  let slowness: Slowness
  /// The ledger of saved usage; nil if the store does not save its usage.
  let ledger: UsageLedger?
  let completions: Completions
  let intervalClock: IntervalClock
  /// The fingerprint of the Unicode tables with which the indexes in `tables` were built; nil if no index
  /// depends on them.
  let unicodeFingerprint: UInt64?

  /// The queue that the application has set for completion handlers. It is wrapped in a separate type: to
  /// copy a field of a generic type, such as an optional, in this large structure, the runtime would create
  /// type metadata.
  struct Completions {
    let queue: DispatchQueue?
  }
}
