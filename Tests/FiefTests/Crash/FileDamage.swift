import Foundation
import Testing

/// Damage to the files of a store that a test has closed.
enum FileDamage {
  /// Flips bits of a byte of some bytes, wherever a file has these.
  ///
  /// - Parameters:
  ///   - bits: those that are flipped.
  ///   - offset: the place of the byte among the bytes.
  static func flip(_ bits: UInt8, at offset: Int = 0, of bytes: some DataProtocol, in path: String) throws {
    let url = URL(fileURLWithPath: path)
    var file = try Data(contentsOf: url)
    var start = file.startIndex
    while let range = file.range(of: Data(bytes), in: start..<file.endIndex) {
      file[range.lowerBound + offset] ^= bits
      start = range.upperBound
    }
    try #require(start > file.startIndex, "\(path) does not have the bytes")
    try replace(path, with: file)
  }

  /// Writes a file of a store, which its user alone may read.
  static func replace(_ path: String, with bytes: Data) throws {
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, 0o600) == 0)
  }
}
