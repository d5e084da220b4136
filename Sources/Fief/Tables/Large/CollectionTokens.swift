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

  /// The entries of a collection, where they were sorted last, and for this state.
  func knownEntries(of collection: [UInt8], at commit: UInt64) -> SortedEntries? {
    guard let known = sealer.kept.withLock({ $0 }) as? KnownEntries, known.commit == commit,
      known.collection == collection
    else { return nil }
    return known.entries
  }

  /// Keeps the entries of a collection in place of those of another one.
  func keep(_ entries: SortedEntries, of collection: [UInt8], at commit: UInt64) {
    guard entries.size <= KnownEntries.largest else { return }
    let known = KnownEntries(collection: collection, commit: commit, entries: entries)
    sealer.kept.withLock { $0 = known }
  }
}
