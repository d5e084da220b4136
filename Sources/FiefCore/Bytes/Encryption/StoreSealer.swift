import LMDB

/// Seals the trees of one encrypted store with its cipher.
final class StoreSealer: ValueSealing {
  let cipher: any StoreCipher
  /// The header of the store, which contains the wrapped data keys of the cipher.
  private let state: OwnedLock<[UInt8]>
  /// The cached contents of the large sets and maps that were iterated last.
  let kept = OwnedLock<(any Sendable)?>(nil)

  init(_ cipher: any StoreCipher, header: [UInt8]) {
    self.cipher = cipher
    state = OwnedLock(header)
  }

  /// The most recent header: the header that unlocked the cipher, or the last one written.
  var header: [UInt8] {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// Whether both sealers have the data keys of the same store.
  func hasSameKeys(as other: StoreSealer) -> Bool {
    self === other || hasSameTokens(as: other) && opens(other) && other.opens(self)
  }

  /// Whether both sealers compute the same tokens and sealed keys.
  func hasSameTokens(as other: StoreSealer) -> Bool { token == other.token }

  /// Whether this sealer can open values that another sealer has sealed. Comparing tokens is not enough,
  /// because a store keeps its token key when it gets a new data key.
  private func opens(_ other: StoreSealer) -> Bool {
    var sealed = [UInt8](repeating: 0, count: other.overhead)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    sealed.withUnsafeMutableBytes { other.seal(nothing, for: nothing, into: $0) }
    return sealed.withUnsafeBytes {
      open($0, for: nothing, into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
  }

  private var token: [UInt8] {
    var token = [UInt8](repeating: 0, count: 16)
    let text = Array("fief: data keys".utf8)
    token.withUnsafeMutableBytes { token in
      text.withUnsafeBytes { cipher.token(of: $0, for: $0, into: token) }
    }
    return token
  }

  func forget() { kept.withLock { $0 = nil } }

  func temporary() throws -> any ValueSealing { StoreSealer(try cipher.temporary(), header: []) }

  func wipeValueKeys() { cipher.wipeValueKeys() }

  func wipe() { cipher.wipe() }

  var overhead: Int { cipher.overhead }

  /// Seals all trees with values of objects. Indexes and trees of backlinks only have keys, and the catalogue
  /// is needed to open the store.
  func sealing(ofTree name: String) -> TreeSealing {
    if name == Catalogue.treeName { return .keys(beginningWith: [Array("import:".utf8)]) }
    return name.hasPrefix("index:") || name.hasPrefix("links:") ? .none : .all
  }

  /// The rows that determine how the store is read. The other rows concern writes and imports in progress,
  /// and usage.
  let statedRows: RowSelection? = RowSelection(
    tree: Catalogue.treeName,
    prefixes: [Catalogue.key, EncryptionHeader.key, Array("rowid:".utf8), Array("unicode".utf8)]
  )

  func authenticate(_ bytes: UnsafeRawBufferPointer, into hash: UnsafeMutableRawBufferPointer) {
    Self.commitContext.withUnsafeBytes { cipher.token(of: bytes, for: $0, into: hash) }
  }

  /// The context of the record of a commit. Its length differs from the lengths of the contexts of secret
  /// keys and collections, so that a commit's hash never equals one of their tokens.
  private static let commitContext = Array("fief: commit".utf8)

  func seal(
    _ value: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  ) { cipher.seal(value, for: context, into: sealed) }

  func open(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool { cipher.open(sealed, for: context, into: value) }
}
