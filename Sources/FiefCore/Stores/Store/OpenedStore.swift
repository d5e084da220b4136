import Dispatch
import LMDB

/// What opening a store gives, before there is a ``StoreCore``.
package struct OpenedStore {
  let name: String
  let directory: String
  let isInMemory: Bool
  let isReadOnly: Bool
  /// Whether commits are marked as such on the disk.
  let isSynchronized: Bool
  package let environment: LMDB.Environment
  let catalogue: Catalogue
  let tables: StoreTables
  let schema: DeclaredSchema
  let queueLimits: WriteQueueLimits
  /// How many bytes the sort of a query may use.
  let sortMemory: Int
  let reinsertsDeletedObjects: Bool
  let observesLinkedObjects: Bool
  let reporter: EventReporter
  let slowness: Slowness
  /// The usage that it keeps; nil where it keeps none.
  let ledger: UsageLedger?
  let completions: Completions
  let intervalClock: IntervalClock
  /// The tables of Unicode that the indexes in `tables` were made with; nil where none depends on them.
  let unicodeFingerprint: UInt64?

  /// The queue that the application has named for completion handlers. The runtime has to make a type to copy a field of this large
  /// structure whose type is generic, such as an optional.
  struct Completions {
    let queue: DispatchQueue?
  }
}
