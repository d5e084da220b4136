#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A tree with sealed values.
final class SealedTree: Sendable {
  let overhead: Int
  /// The mark of opened leaves of the tree; see ``DecryptedPages``. Trees with the same name have the same
  /// mark.
  let mark: UInt64
  private let sealing: any ValueSealing
  /// The name of the tree followed by a zero byte. Precedes the key in each context.
  private let name: [UInt8]
  /// The prefixes of the keys of sealed values, or `nil` if all values are sealed.
  private let prefixes: [[UInt8]]?
  /// Keeps marks secret, even if `SWIFT_DETERMINISTIC_HASHING` is set.
  private static let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

  /// Returns `nil` for a tree without sealed values.
  init?(named name: String, _ sealing: any ValueSealing) {
    switch sealing.sealing(ofTree: name) {
    case .none: return nil
    case .all: prefixes = nil
    case .keys(let prefixes): self.prefixes = prefixes
    }
    overhead = sealing.overhead
    self.sealing = sealing
    let bytes = Array(name.utf8) + [0]
    self.name = bytes
    mark = Self.mark { hasher in bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }

  /// Returns the mark of an opened value: a keyed hash of the tree, the key and the length of the value in
  /// clear.
  func mark(of key: UnsafeRawBufferPointer, count: Int) -> UInt64 {
    Self.mark { hasher in
      hasher.combine(mark)
      hasher.combine(count)
      hasher.combine(bytes: key)
    }
  }

  @inline(__always)
  private static func mark(_ combine: (inout Hasher) -> Void) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(secret.0)
    hasher.combine(secret.1)
    combine(&hasher)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  /// Whether the value of a key is sealed.
  @inline(__always)
  func isSealed(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let prefixes else { return true }
    return prefixes.contains { key.starts(with: $0) }
  }

  /// Seals a value. `sealed` must be ``overhead`` bytes longer than `value`.
  func seal(
    _ value: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    into sealed: UnsafeMutableRawBufferPointer
  ) {
    withContext(of: key) { sealing.seal(value, for: $0, into: sealed) }
  }

  /// Opens a value. `value` must be ``overhead`` bytes shorter than `sealed`.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    into value: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard sealed.count >= overhead, value.count == sealed.count - overhead else { return false }
    return withContext(of: key) { sealing.open(sealed, for: $0, into: value) }
  }

  @inline(__always)
  private func withContext<R>(of key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeTemporaryAllocation(byteCount: name.count + key.count, alignment: 1) { context in
      context.copyBytes(from: name)
      if let start = key.baseAddress, let place = context.baseAddress {
        // SAFETY: the context has room for the name and the key.
        memcpy(place + name.count, start, key.count)
      }
      return body(UnsafeRawBufferPointer(context))
    }
  }
}
