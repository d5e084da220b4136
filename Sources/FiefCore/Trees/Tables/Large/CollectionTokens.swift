import LMDB

/// Computes tokens for the elements of large sets and the keys of large maps. In an encrypted store, the
/// tokens replace them in the keys of entries.
///
/// A token depends on the element and on its collection, so equal elements of two collections have different
/// tokens.
struct CollectionTokens {
  private let sealer: StoreSealer

  init(_ sealer: StoreSealer) { self.sealer = sealer }

  /// Returns `nil` for an unencrypted store and for a set of links. The elements of a set of links are object
  /// keys, whose secret parts are already sealed.
  init?(for type: ColumnType, in transaction: LMDB.Transaction) {
    guard !LargeEntry.isLink(type), let sealer = transaction.sealing as? StoreSealer else { return nil }
    self.init(sealer)
  }

  /// Appends the token of an element, 16 bytes.
  ///
  /// - Parameter collection: The prefix of all keys of the collection.
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

  /// Returns the sorted entries of a collection if the store has cached them for this commit.
  func knownEntries(of collection: [UInt8], at commit: UInt64) -> SortedEntries? {
    withKnown { $0.entries(of: collection, at: commit) }
  }

  func keep(_ entries: SortedEntries, of collection: [UInt8], at commit: UInt64) {
    withKnown { $0.keep(entries, of: collection, at: commit) }
  }

  private func withKnown<Result: Sendable>(_ body: (inout EntryCache) -> Result) -> Result {
    sealer.kept.withLock { kept in
      var known = kept as? EntryCache ?? EntryCache()
      // The stored reference is dropped first. Otherwise the change would copy all entries.
      kept = nil
      defer { kept = known }
      return body(&known)
    }
  }
}
