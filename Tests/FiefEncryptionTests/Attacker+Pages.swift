import Foundation
import Testing

@testable import LMDB

/// Changes that no program on LMDB makes.
extension Attacker {
  private static let pageSize = 4096

  /// Has the second of two long values of a leaf be the pages of the first one, in each leaf.
  ///
  /// - Parameter count: the least number of bytes of a value.
  func shareLongValues(ofAtLeast count: Int) throws {
    var bytes = FileBytes(try Data(contentsOf: file))
    var shared = 0
    for page in stride(from: 2 * Self.pageSize, to: bytes.count, by: Self.pageSize) {
      let nodes = bytes.nodes(page).filter {
        bytes.half($0 + 4) == 1 && bytes.word($0) & 0xFFFF_FFFF >= count
      }
      guard nodes.count == 2 else { continue }
      shared += 1
      let places = nodes.map { $0 + 8 + bytes.half($0 + 6) }
      bytes.copy(from: nodes[0], to: nodes[1], count: 4)
      bytes.copy(from: places[0], to: places[1], count: 8)
    }
    #expect(shared > 0)
    try bytes.data.write(to: file)
  }

  /// Has the newest meta page lead to the main tree of the commit before, whose pages are still in the file.
  ///
  /// - Parameter renumbers: whether the commit before gets the number of the newest one.
  func bringBackMainTree(renumbers: Bool) throws {
    var bytes = FileBytes(try Data(contentsOf: file))
    let isFirst = bytes.word(144) > bytes.word(Self.pageSize + 144)
    let (newer, older) = isFirst ? (0, Self.pageSize) : (Self.pageSize, 0)
    bytes.copy(from: older + 88, to: newer + 88, count: 48)
    if renumbers {
      let name = Array("fief\0commit".utf8)
      let root = bytes.word(newer + 128) * Self.pageSize
      let record = try #require(bytes.nodes(root).first { bytes.key($0).elementsEqual(name) })
      let end = record + 8 + name.count + bytes.word(record) & 0xFFFF_FFFF
      bytes.copy(from: newer + 144, to: end - 8, count: 8)
    }
    try bytes.data.write(to: file)
  }
}

/// Changes in place, while a process may have the store open.
extension Attacker {
  /// Copies the file of an open store, so that its trees can be read.
  func copied(to directory: String) throws -> Attacker {
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let copy = Attacker(directory: directory)
    try FileManager.default.copyItem(at: file, to: copy.file)
    return copy
  }

  /// Writes bytes in the place of others, wherever the file has these.
  func replaceInPlace(_ old: [UInt8], by new: [UInt8]) throws {
    try #require(old.count == new.count)
    var bytes = try Data(contentsOf: file)
    var start = bytes.startIndex
    while let range = bytes.range(of: Data(old), in: start..<bytes.endIndex) {
      bytes.replaceSubrange(range, with: new)
      start = range.upperBound
    }
    #expect(start > bytes.startIndex)
    try writeInPlace(bytes)
  }

  /// Writes the first bytes of the file, and leaves the rest.
  func writeInPlace(_ bytes: Data) throws {
    let handle = try FileHandle(forUpdating: file)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }
}

/// The bytes of a file of LMDB.
private struct FileBytes {
  private var bytes: [UInt8]

  init(_ data: Data) { bytes = [UInt8](data) }

  var data: Data { Data(bytes) }
  var count: Int { bytes.count }

  func half(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }

  func word(_ place: Int) -> Int {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int.self) }
  }

  /// Returns the nodes of a leaf. Other pages have none.
  func nodes(_ page: Int) -> [Int] {
    guard half(page + 10) == 2, word(page) == page / 4096, 16...4096 ~= half(page + 12) else { return [] }
    return (0..<(half(page + 12) - 16) / 2).map { page + half(page + 16 + 2 * $0) }
  }

  func key(_ node: Int) -> ArraySlice<UInt8> { bytes[node + 8..<node + 8 + half(node + 6)] }

  mutating func copy(from source: Int, to target: Int, count: Int) {
    bytes.replaceSubrange(target..<target + count, with: bytes[source..<source + count])
  }
}
