import Fief
import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The object keys of nodes: the segment, then the place.
enum NodeKey {
  private static let textTag: UInt8 = {
    var encoder = KeyEncoder()
    encoder.append(string: "")
    return encoder.bytes.first ?? 0
  }()

  /// The byte that ends a text in a key.
  private static let textEnd: UInt8 = 0

  /// Returns the bytes with which the keys of a place and of its descendants in the segment begin.
  static func prefix(_ segment: Int, _ place: some Collection<UInt8>) -> [UInt8] {
    var encoder = KeyEncoder()
    encoder.bytes.reserveCapacity(place.count + 12)
    encoder.append(segment)
    encoder.bytes.append(textTag)
    // Places contain no bytes 0 and 1, so they need no escapes.
    encoder.bytes.append(contentsOf: place)
    return encoder.bytes
  }

  /// Returns the key of a place.
  static func key(_ segment: Int, _ place: some Collection<UInt8>) -> [UInt8] {
    var key = prefix(segment, place)
    key.append(textEnd)
    return key
  }

  /// Returns bytes after the keys of a place and its descendants in the segment, and before all keys that
  /// follow.
  static func end(_ segment: Int, _ place: some Collection<UInt8>) -> [UInt8] {
    var key = prefix(segment, place)
    key.append(TreeComponent.afterComponents)
    return key
  }

  /// Returns the place in a key of a known segment.
  ///
  /// - Parameter start: the offset behind the segment and the tag of the text.
  /// - Returns: `nil` if the bytes are no key of a node.
  static func place(in key: UnsafeRawBufferPointer, from start: Int) -> UnsafeRawBufferPointer? {
    let end = key.count - 1
    guard start <= end, end - start <= TreePlace.longest, key[end] == textEnd else { return nil }
    return UnsafeRawBufferPointer(rebasing: key[start..<end])
  }

  /// Reads a key.
  ///
  /// - Parameter longest: the maximum length of the place.
  /// - Returns: the segment, and the place inside `key`; `nil` if the bytes are no key of a node.
  static func read(_ key: UnsafeRawBufferPointer, longest: Int = TreePlace.longest) -> (
    segment: Int, place: UnsafeRawBufferPointer
  )? {
    var decoder = KeyDecoder(key)
    guard let segment = try? decoder.nextInteger(), segment >= 0 else { return nil }
    let text = decoder.remaining
    guard text.count >= 2, text.count <= longest + 2, text[0] == textTag,
      text[text.count - 1] == textEnd
    else { return nil }
    return (Int(segment), UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)]))
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes as a text; `nil` if they are not valid UTF-8.
  ///
  /// `String(validating:as:)` takes several times as long, because it is not specialized for bytes.
  var text: String? {
    var text = String(decoding: self, as: UTF8.self)
    // A text that had to be repaired has other bytes.
    let isValid = text.withUTF8 { $0.count == count && hasPrefix($0) }
    return isValid ? text : nil
  }

  /// Whether the bytes begin with other bytes.
  func hasPrefix(_ prefix: [UInt8]) -> Bool { prefix.withUnsafeBufferPointer { hasPrefix($0) } }

  private func hasPrefix(_ prefix: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = baseAddress, let other = prefix.baseAddress else { return prefix.isEmpty }
    // SAFETY: both sides have at least as many bytes as are compared.
    return count >= prefix.count && memcmp(base, other, prefix.count) == 0
  }
}
