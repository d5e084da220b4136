import LMDB
import Synchronization

/// The context that conditions need besides the record: the transaction, the tables that links lead to, and
/// the rows around the element that a quantifier is at.
///
/// An environment serves one run of a query, on one thread.
package final class QueryEnvironment {
  /// The greatest depth of nested quantifiers.
  static let depthLimit = 16

  /// The current subject of a scope: a row, or an element that is no object.
  struct Frame {
    var row: QueryRow?
    var element = RowValue.null
  }

  private static let numbers = Atomic<UInt64>(0)

  /// Different for each environment of the process.
  let number = QueryEnvironment.numbers.wrappingAdd(1, ordering: .relaxed).newValue
  package let tables: StoreTables
  package let transaction: LMDB.Transaction
  /// Whether nothing changes while the query runs, so that places in pages can be kept from row to row.
  let isStable: Bool
  /// Takes the key and the error of each damaged record, which is left out then; nil where such an error ends
  /// the run.
  package var damage: ((UnsafeRawBufferPointer, FiefError) throws -> Void)?
  /// Which records were verified; see ``QueryEnvironment/verify(_:_:of:)``.
  /// What objects are read with that are values of a row; nil where a run makes none.
  var origin: ValueOrigin?
  // Used by one thread, and by one access at a time.
  @exclusivity(unchecked) var verified: VerifiedRecords
  /// The place in a collection of the row at hand, where the query is about the objects of one.
  // Only assigned and read, at once, so that no access can overlap.
  @exclusivity(unchecked) var place = 0
  // SAFETY: nil, or with room for `depthLimit` frames and the query's own, all initialised; binding refuses more.
  // Only the first quantifier makes it, and only one at a time runs: no access can overlap.
  @exclusivity(unchecked) private var frames: UnsafeMutablePointer<Frame>?

  package init(tables: StoreTables, transaction: LMDB.Transaction) {
    self.tables = tables
    self.transaction = transaction
    isStable = transaction is LMDB.ReadTransaction
    verified = VerifiedRecords(transaction)
  }

  deinit { frames?.deallocate() }

  /// The frame of a scope; that of the query itself is 0.
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
