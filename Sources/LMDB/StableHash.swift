/// A fast hash of bytes that is part of the format of a store: it is the same on every machine and never
/// changes.
///
/// The algorithm is wyhash, final version 4.2 (Wang Yi, public domain, `wyhash.h` in
/// github.com/wangyi-fudan/wyhash) with its default secret, all loads little-endian. Its core is a
/// multiplication of 64 by 64 bits whose two halves are folded together. The hash detects accidental changes
/// and distributes well. It does not protect against an attacker who chooses the bytes.
@usableFromInline package enum StableHash {
  @usableFromInline static let secret0: UInt64 = 0x2d35_8dcc_aa6c_78a5
  @usableFromInline static let secret1: UInt64 = 0x8bb8_4b93_962e_acc9
  @usableFromInline static let secret2: UInt64 = 0x4b33_a62e_d433_d4a3
  @usableFromInline static let secret3: UInt64 = 0x4d5a_2da5_1de1_aa47

  /// Hashes bytes.
  ///
  /// - Parameters:
  ///   - bytes: Any number of bytes.
  ///   - seed: Selects one of many independent hash functions.
  @inlinable
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    let count = bytes.count
    var seed = seed ^ mixed(seed ^ secret0, secret1)
    var a: UInt64 = 0
    var b: UInt64 = 0
    // SAFETY: every load below lies between `start` and `start + count`, because each branch has tested that
    // `count` is at least the number of bytes that it reads.
    if let start = bytes.baseAddress, count > 0 {
      if count > 16 {
        var at = start
        var left = count
        if left >= 48 {
          var seed1 = seed
          var seed2 = seed
          repeat {
            seed = mixed(load64(at) ^ secret1, load64(at + 8) ^ seed)
            seed1 = mixed(load64(at + 16) ^ secret2, load64(at + 24) ^ seed1)
            seed2 = mixed(load64(at + 32) ^ secret3, load64(at + 40) ^ seed2)
            at += 48
            left &-= 48
          } while left >= 48
          seed ^= seed1 ^ seed2
        }
        while left > 16 {
          seed = mixed(load64(at) ^ secret1, load64(at + 8) ^ seed)
          at += 16
          left &-= 16
        }
        a = load64(start + (count &- 16))
        b = load64(start + (count &- 8))
      } else if count >= 4 {
        let middle = (count &>> 3) &<< 2
        a = (load32(start) &<< 32) | load32(start + middle)
        b = (load32(start + (count &- 4)) &<< 32) | load32(start + (count &- 4 &- middle))
      } else {
        a =
          (UInt64(bytes[0]) &<< 16) | (UInt64(bytes[count &>> 1]) &<< 8) | UInt64(bytes[count &- 1])
      }
    }
    let product = (a ^ secret1).multipliedFullWidth(by: b ^ seed)
    return mixed(
      product.low ^ secret0 ^ UInt64(truncatingIfNeeded: count),
      product.high ^ secret1
    )
  }

  @inlinable
  @inline(__always)
  static func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.low ^ product.high
  }

  @inlinable
  @inline(__always)
  static func load64(_ address: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: address.loadUnaligned(as: UInt64.self))
  }

  @inlinable
  @inline(__always)
  static func load32(_ address: UnsafeRawPointer) -> UInt64 {
    UInt64(UInt32(littleEndian: address.loadUnaligned(as: UInt32.self)))
  }
}
