import Foundation
import LMDB

/// The bytes of a key sort like the values that it encodes.
public struct ObjectKey: Sendable, Hashable, Comparable {
  /// The encoded key.
  public let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a key from bytes that come from outside the store. The caller validates them.
  package init(storedBytes bytes: [UInt8]) { self.bytes = bytes }

  package init(_ buffer: UnsafeRawBufferPointer) { self.bytes = [UInt8](buffer) }

  package init(rowID: Int64) {
    var encoder = KeyEncoder()
    encoder.append(rowID)
    bytes = encoder.bytes
  }

  /// Returns a Boolean value that indicates whether the first key comes before the second in the store.
  public static func < (first: ObjectKey, second: ObjectKey) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }

  /// The maximum length of a key in bytes, which is LMDB's limit.
  static let maximumLength = 511
  /// The valid lengths of a key, in bytes.
  package static let lengths = 1...maximumLength
}

extension ObjectKey: CustomStringConvertible {
  /// The key's values, separated by commas.
  public var description: String {
    bytes.withUnsafeBytes { buffer in
      var decoder = KeyDecoder(buffer)
      var parts: [String] = []
      do {
        while let element = try decoder.next() { parts.append(KeyCoding.text(of: element)) }
      } catch {
        return "0x" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      }
      return parts.joined(separator: ", ")
    }
  }
}
