/// Seals the values of an environment's trees, so that the file has none of them in clear.
///
/// Keys stay as they are. A sealed value is bound to its tree and its key. Methods are called on any thread, several at a time,
/// and in the middle of reads and writes: they must not use the environment that they were given to.
package protocol ValueSealing: AnyObject, Sendable {
  /// The number of bytes that a sealed value is longer than the value.
  var overhead: Int { get }

  /// The values of a tree that are sealed; the same for the same name at any time.
  func sealing(ofTree name: String) -> TreeSealing

  /// Seals a value.
  ///
  /// - Parameters:
  ///   - value: the bytes in clear.
  ///   - context: the name of the tree, a zero, and the key.
  ///   - sealed: where the sealed bytes go; as long as both need to be.
  func seal(
    _ value: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  )

  /// Opens a value; returns whether it is one that was sealed for this context.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// The rows that each commit states in its record, under the keys; nil if commits are not authenticated.
  var statedRows: StatedRows? { get }

  /// Computes a keyed hash of 16 bytes, for the record of a commit. Computing it requires the keys.
  ///
  /// It stays the same when the keys are wrapped otherwise.
  func authenticate(_ bytes: UnsafeRawBufferPointer, into hash: UnsafeMutableRawBufferPointer)

  /// What seals temporary files, which outlive a change of the keys.
  func temporary() throws -> any ValueSealing

  /// Forgets what it keeps of opened values: the environment is closed, or has another file or map.
  func forget()

  /// Wipes the keys that values are sealed with: the file has other ones, or none. No value is sealed or opened any more.
  func wipeValueKeys()

  /// Wipes all keys: the environment is closed. What is computed with them afterwards means nothing.
  func wipe()
}

extension ValueSealing {
  package func temporary() -> any ValueSealing { self }
  package func forget() {}
  package func wipeValueKeys() {}
  package func wipe() {}
}

/// Rows of a tree by the beginnings of their keys, in the order of bytes.
package struct StatedRows: Sendable {
  let tree: String
  let prefixes: [[UInt8]]

  package init(tree: String, prefixes: [[UInt8]]) {
    self.tree = tree
    self.prefixes = prefixes
  }
}

/// The values of a tree that are sealed.
package enum TreeSealing: Sendable, Equatable {
  case none, all
  /// Those whose keys begin with one of these.
  case keys(beginningWith: [[UInt8]])
}
