import LMDB

/// Makes the tokens that stand for the elements of large sets, and for the keys of large maps, in the keys of an encrypted store.
///
/// A token is made of the element and the collection: equal elements of two collections have nothing in common.
struct CollectionTokens {
  static let count = 16

  private let cipher: any StoreCipher

  init(_ cipher: any StoreCipher) { self.cipher = cipher }

  /// Fails for a store in clear, and for a set of links, whose elements are keys of objects: they are secret where these are.
  init?(for type: ColumnType, in transaction: LMDB.Transaction) {
    guard !LargeEntry.isLink(type), let sealer = transaction.sealing as? StoreSealer else { return nil }
    self.init(sealer.cipher)
  }

  /// The token of an element.
  ///
  /// - Parameter collection: the bytes that all keys of its collection begin with.
  func token(of element: UnsafeRawBufferPointer, in collection: UnsafeRawBufferPointer) -> [UInt8] {
    var token = [UInt8](repeating: 0, count: Self.count)
    token.withUnsafeMutableBytes { cipher.token(of: element, for: collection, into: $0) }
    return token
  }
}
