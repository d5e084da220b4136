/// Seals the values of an environment's trees, so that the file contains no values in clear.
///
/// Keys are not sealed. A sealed value is bound to its tree and its key. The methods are called on any
/// thread, concurrently, and during reads and writes. They must not use the environment to which the object
/// belongs.
package protocol ValueSealing: AnyObject, Sendable {
  /// The number of bytes by which a sealed value is longer than the value in clear.
  var overhead: Int { get }

  /// Returns which values of a tree are sealed. The result for a name must never change.
  func sealing(ofTree name: String) -> TreeSealing

  /// Seals a value.
  ///
  /// - Parameters:
  ///   - value: The bytes in clear.
  ///   - context: The name of the tree, a zero byte, and the key.
  ///   - sealed: The buffer for the sealed bytes, ``overhead`` bytes longer than `value`.
  func seal(
    _ value: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  )

  /// Opens a value. Returns whether the value was sealed for this context.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool

  /// The rows whose values each commit records, by prefixes of their keys, or `nil` if commits are not
  /// authenticated.
  var statedRows: RowSelection? { get }

  /// Computes a keyed hash of 16 bytes for the record of a commit. Computing it requires the keys.
  ///
  /// The hash stays the same if the keys are wrapped in another way.
  func authenticate(_ bytes: UnsafeRawBufferPointer, into hash: UnsafeMutableRawBufferPointer)

  /// Returns a sealing for temporary files, which outlive a change of the keys.
  func temporary() throws -> any ValueSealing

  /// Discards all data about opened values. Called when the environment is closed, or when its file or map is
  /// replaced.
  func forget()

  /// Wipes the keys with which values are sealed, because the file has other keys or none. No value is sealed
  /// or opened afterwards.
  func wipeValueKeys()

  /// Wipes all keys, because the environment is closed. Results that are computed with the keys afterwards
  /// are meaningless.
  func wipe()
}

extension ValueSealing {
  package func temporary() -> any ValueSealing { self }
  package func forget() {}
  package func wipeValueKeys() {}
  package func wipe() {}
}

/// Rows of a tree, selected by prefixes of their keys, in the order of bytes.
package struct RowSelection: Sendable {
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
  /// The values whose keys begin with one of the prefixes.
  case keys(beginningWith: [[UInt8]])
}
