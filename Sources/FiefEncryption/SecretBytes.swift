import CSodium
import Fief

/// A 32-byte key in locked memory, surrounded by inaccessible pages. The memory is wiped before it is freed.
///
/// If a limit is reached (`RLIMIT_MEMLOCK`), the system may refuse to lock the memory, which can then be
/// swapped out.
final class SecretBytes: @unchecked Sendable {
  // SAFETY: `start` points to `count` bytes, which only `init` and `wipe` write and `deinit` frees. A thread
  // that reads during `wipe` gets a mixture of old and zeroed bytes, which is meaningless by then.
  static let count = 32

  let start: UnsafeMutablePointer<UInt8>

  /// - Parameter fill: writes the bytes.
  /// - Throws: ``FiefError`` of code `invalidKey` if memory cannot be allocated; the error of `fill`.
  init(_ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    try Sodium.prepare()
    guard let memory = sodium_malloc(Self.count) else {
      throw FiefError(.invalidKey, "Not enough memory for a key.")
    }
    start = memory.bindMemory(to: UInt8.self, capacity: Self.count)
    // If this throws, `deinit` frees the memory.
    try fill(UnsafeMutableRawBufferPointer(start: memory, count: Self.count))
    sodium_mprotect_readonly(memory)
  }

  deinit { sodium_free(start) }

  /// Zeroes all bytes, if the system can make the memory writable. Otherwise they are wiped when the object
  /// is released.
  func wipe() {
    guard sodium_mprotect_readwrite(start) == 0 else { return }
    sodium_memzero(start, Self.count)
    sodium_mprotect_readonly(start)
  }

  /// Returns random bytes.
  static func random() throws -> SecretBytes {
    try SecretBytes { output in
      if let place = output.baseAddress { randombytes_buf(place, output.count) }
    }
  }

  /// Returns a key derived from this one.
  func derived(_ context: StaticString, _ salt: [UInt8] = []) throws -> SecretBytes {
    try SecretBytes { output in
      salt.withUnsafeBytes { Sodium.hash(key: self, context, $0, into: output) }
    }
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: Self.count) }
}
