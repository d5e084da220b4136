import Foundation

/// Searches for a byte sequence in another one.
enum ByteSearch {
  /// Whether `contains`, `beginsWith`, `endsWith` or `like` holds.
  @inline(__always)
  static func holds(
    _ text: UnsafeRawBufferPointer,
    _ comparison: QueryComparison,
    _ part: UnsafeRawBufferPointer
  ) -> Bool {
    switch comparison {
    case .contains: contains(text, part)
    case .beginsWith: begins(text, with: part)
    case .endsWith: ends(text, with: part)
    case .like: LikePattern(part).matches(text)
    default: false
    }
  }

  @inline(__always)
  static func contains(_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool {
    guard let start = part.baseAddress, part.count > 0 else { return true }
    guard let base = text.baseAddress, text.count >= part.count else { return false }
    let first = Int32(start.load(as: UInt8.self))
    var place = base
    let end = base + (text.count - part.count + 1)
    // SAFETY: after each position before `end`, there are at least as many bytes as the part has.
    while place < end, let found = memchr(place, first, end - place) {
      if memcmp(found, start, part.count) == 0 { return true }
      place = UnsafeRawPointer(found) + 1
    }
    return false
  }

  @inline(__always)
  static func begins(_ text: UnsafeRawBufferPointer, with part: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= part.count else { return false }
    guard part.count > 0, let base = text.baseAddress, let start = part.baseAddress else { return true }
    // SAFETY: both buffers have at least as many bytes as the part.
    return memcmp(base, start, part.count) == 0
  }

  @inline(__always)
  static func ends(_ text: UnsafeRawBufferPointer, with part: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= part.count else { return false }
    guard part.count > 0, let base = text.baseAddress, let start = part.baseAddress else { return true }
    // SAFETY: both buffers have at least as many bytes as the part.
    return memcmp(base + (text.count - part.count), start, part.count) == 0
  }
}

/// The bytes of a constant, at an address that does not change.
// SAFETY: `bytes` belongs to this object and is never written after `init`.
final class StableBytes: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer

  init(_ content: some Collection<UInt8>) {
    // Even an empty text needs an address, because an address of nil means nil.
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: max(content.count, 1), alignment: 8)
    room.copyBytes(from: content)
    bytes = UnsafeRawBufferPointer(start: room.baseAddress, count: content.count)
  }

  deinit { bytes.deallocate() }
}
