import CSodium
import Fief

/// 32 bytes of a key in memory that is locked, surrounded by pages that cannot be read, and wiped before it is given back.
///
/// The system may refuse to lock it where a limit is reached (`RLIMIT_MEMLOCK`); it can then be swapped out.
final class SecretBytes: @unchecked Sendable {
  // SAFETY: `start` has `count` bytes, which are written in `init` and `wipe` only, and is freed in `deinit`. Who reads them while
  // they are wiped gets some of each, which means nothing to anybody by then.
  static let count = 32

  let start: UnsafeMutablePointer<UInt8>

  /// - Parameter fill: writes the bytes.
  /// - Throws: ``FiefError`` of code `invalidKey` where there is no memory; what `fill` throws.
  init(_ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    try Sodium.prepare()
    guard let memory = sodium_malloc(Self.count) else {
      throw FiefError(.invalidKey, "There is no memory for a key.")
    }
    start = memory.bindMemory(to: UInt8.self, capacity: Self.count)
    // `deinit` frees it also where this throws.
    try fill(UnsafeMutableRawBufferPointer(start: memory, count: Self.count))
    sodium_mprotect_readonly(memory)
  }

  deinit { sodium_free(start) }

  /// Makes all bytes zero, where the system lets the memory be written to; at the latest they go with the object.
  func wipe() {
    guard sodium_mprotect_readwrite(start) == 0 else { return }
    sodium_memzero(start, Self.count)
    sodium_mprotect_readonly(start)
  }

  /// Random bytes.
  static func random() throws -> SecretBytes {
    try SecretBytes { output in
      if let place = output.baseAddress { randombytes_buf(place, output.count) }
    }
  }

  /// A key that follows from another one.
  func derived(_ context: StaticString, _ salt: [UInt8] = []) throws -> SecretBytes {
    try SecretBytes { output in
      salt.withUnsafeBytes { Sodium.hash(key: self, context, $0, into: output) }
    }
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: Self.count) }
}
