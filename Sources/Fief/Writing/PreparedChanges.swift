/// A save or a deletion as bytes: what crosses from the caller to the write queue.
struct PreparedChanges: Sendable {
  enum Kind: Sendable {
    /// Insert; fail where the key exists.
    case insert
    /// Insert where the key does not exist; leave what is there as it is.
    case ensure
    /// Insert or replace.
    case put
    /// Write some columns of the object that is there; insert where there is none.
    case patch([UInt16])
    /// Delete; fail where there is none.
    case delete
    /// Delete everything of the type.
    case deleteAll
  }

  struct Operation: Sendable {
    let kind: Kind
    let table: Table
    let key: Range<Int>
    let record: Range<Int>

    var deletes: Bool {
      switch kind {
      case .insert, .ensure, .put, .patch: false
      case .delete, .deleteAll: true
      }
    }

    /// Whether it can fail only before its first change. Deleting changes other records too, those that
    /// link to the deleted one.
    var failsBeforeChanging: Bool {
      switch kind {
      case .insert, .ensure, .put, .patch: !table.needsOldRecord
      case .delete, .deleteAll: false
      }
    }
  }

  var bytes: [UInt8] = []
  var operations: [Operation] = []
  /// Where in a document each operation's object stands; empty where there is no document.
  var paths: [ValuePath] = []

  /// Whether one failure may leave others done, so that the whole needs a transaction of its own.
  var isAtomicByItself: Bool { operations.count <= 1 }
}
