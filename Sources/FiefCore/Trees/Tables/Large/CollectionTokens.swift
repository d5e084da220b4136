import LMDB

/// Makes the tokens that stand for the elements of large sets, and for the keys of large maps, in the keys of an encrypted store.
///
/// A token is made of the element and the collection: equal elements of two collections have nothing in common.
struct CollectionTokens {
  private let sealer: StoreSealer

  init(_ sealer: StoreSealer) { self.sealer = sealer }

  /// Nil for a store in clear, and for a set of links: its names are object keys, which are sealed where they are secret.
  init?(for type: ColumnType, in transaction: LMDB.Transaction) {
    guard !LargeEntry.isLink(type), let sealer = transaction.sealing as? StoreSealer else { return nil }
    self.init(sealer)
  }

  /// Appends the token of an element, 16 bytes.
  ///
  /// - Parameter collection: the bytes that all keys of its collection begin with.
  func append(
    _ element: UnsafeRawBufferPointer,
    in collection: UnsafeRawBufferPointer,
    to key: inout [UInt8]
  ) {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { token in
      sealer.cipher.token(of: element, for: collection, into: token)
      key += UnsafeRawBufferPointer(token)
    }
  }

  /// The entries of a collection, where the store has sorted them for this commit.
  func knownEntries(of collection: [UInt8], at commit: UInt64) -> SortedEntries? {
    withKnown { $0.entries(of: collection, at: commit) }
  }

  func keep(_ entries: SortedEntries, of collection: [UInt8], at commit: UInt64) {
    withKnown { $0.keep(entries, of: collection, at: commit) }
  }

  private func withKnown<Result: Sendable>(_ body: (inout KnownEntries) -> Result) -> Result {
    sealer.kept.withLock { kept in
      var known = kept as? KnownEntries ?? KnownEntries()
      // A second reference would have the change copy all of them.
      kept = nil
      defer { kept = known }
      return body(&known)
    }
  }
}
