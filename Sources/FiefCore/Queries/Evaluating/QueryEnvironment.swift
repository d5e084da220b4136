import LMDB
import Synchronization

/// The context in which conditions are evaluated: the transaction, the tables to which links refer, and the
/// rows around a quantifier's current element.
///
/// An environment belongs to one run of a query on one thread.
package final class QueryEnvironment {
  /// The maximum depth of nested quantifiers.
  static let depthLimit = 16

  /// The current subject of a scope: a row, or an element that is not an object.
  struct Frame {
    var row: QueryRow?
    var element = RowValue.null
  }

  private static let numbers = Atomic<UInt64>(0)

  /// A number that is unique for each environment in the process.
  let number = QueryEnvironment.numbers.wrappingAdd(1, ordering: .relaxed).newValue
  package let tables: StoreTables
  package let transaction: LMDB.Transaction
  /// Whether the transaction cannot change during the query. Positions in pages then stay valid from row to
  /// row.
  let isStable: Bool
  /// Receives the key and the error of each damaged record, which the query then skips. If it is `nil`, such
  /// an error ends the run.
  package var damage: ((UnsafeRawBufferPointer, FiefError) throws -> Void)?
  /// The origin of the objects that are read from a row's values, or `nil` if the run creates no objects.
  var origin: ValueOrigin?
  // The records that were verified; see ``QueryEnvironment/verify(_:_:of:)``. One thread uses it, one access
  // at a time.
  @exclusivity(unchecked) var verified: VerifiedRecords
  /// The position of the current row in its collection, if the query selects from the objects of a
  /// collection.
  // Every access is a single read or assignment, so accesses cannot overlap.
  @exclusivity(unchecked) var place = 0
  // SAFETY: nil, or an array of `depthLimit` + 1 initialised frames; binding refuses deeper queries. Only the
  // first quantifier allocates it, and only one quantifier runs at a time, so accesses cannot overlap.
  @exclusivity(unchecked) private var frames: UnsafeMutablePointer<Frame>?

  package init(tables: StoreTables, transaction: LMDB.Transaction) {
    self.tables = tables
    self.transaction = transaction
    isStable = transaction is LMDB.ReadTransaction
    verified = VerifiedRecords(transaction)
  }

  deinit { frames?.deallocate() }

  /// Returns the frame of a scope. The frame of the query itself is 0.
  @inline(__always)
  func frame(_ depth: Int) -> UnsafeMutablePointer<Frame> { (frames ?? makeFrames()) + depth }

  @inline(never)
  private func makeFrames() -> UnsafeMutablePointer<Frame> {
    let new = UnsafeMutablePointer<Frame>.allocate(capacity: Self.depthLimit + 1)
    new.initialize(repeating: Frame(), count: Self.depthLimit + 1)
    frames = new
    return new
  }
}
