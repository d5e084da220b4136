import LMDB
import Synchronization

/// Seals with a key stream and a checksum of the value and its context: nothing that keeps a secret, but all
/// that a test can tell.
final class TestSealing: ValueSealing {
  let overhead = 16
  private let key: UInt64
  /// The number of values that were opened.
  let openings = Atomic<Int>(0)

  init(key: UInt64 = 1) { self.key = key }

  func sealing(ofTree name: String) -> TreeSealing {
    switch name {
    case "clear": .none
    case "some": .keys(beginningWith: [Array("secret".utf8), [0xFF]])
    default: .all
    }
  }

  func seal(
    _ value: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  ) {
    let nonce = UInt64.random(in: 0 ... .max)
    let tag = tag(of: value, for: context)
    var stream = Generator(state: nonce ^ key)
    for index in 0..<value.count {
      sealed[16 + index] = value[index] ^ UInt8(truncatingIfNeeded: stream.next())
    }
    sealed.storeBytes(of: nonce, as: UInt64.self)
    sealed.storeBytes(of: tag, toByteOffset: 8, as: UInt64.self)
  }

  func open(
    _ sealed: UnsafeRawBufferPointer,
    for context: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool {
    openings.add(1, ordering: .relaxed)
    var stream = Generator(state: sealed.loadUnaligned(as: UInt64.self) ^ key)
    for index in 0..<value.count {
      value[index] = sealed[16 + index] ^ UInt8(truncatingIfNeeded: stream.next())
    }
    return tag(of: UnsafeRawBufferPointer(value), for: context)
      == sealed.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
  }

  /// Commits are not authenticated.
  let statedRows: RowSelection? = nil

  func authenticate(_ bytes: UnsafeRawBufferPointer, into hash: UnsafeMutableRawBufferPointer) {}

  private func tag(of value: UnsafeRawBufferPointer, for context: UnsafeRawBufferPointer) -> UInt64 {
    StableHash.hash(value) ^ (StableHash.hash(context) &* 31) ^ key
  }
}

extension Environment {
  /// An environment of a test whose trees are sealed.
  static func openSealed(
    _ directory: String,
    _ options: EnvironmentOptions = .small(),
    key: UInt64 = 1
  ) throws -> Environment {
    let environment = try Environment.open(directory: directory, options: options)
    _ = try environment.seal(with: TestSealing(key: key))
    return environment
  }
}
