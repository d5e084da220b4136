import Foundation
import Testing

/// The pages of a data file, to change them without LMDB.
struct StoreFile {
  struct Unexpected: Error {}

  private static let pageSize = 4096
  private let path: String
  private(set) var bytes: [UInt8]

  init(_ directory: String) throws {
    path = directory + "/data.mdb"
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Writes a file that is not open.
  func write() throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, 0o600) == 0)
  }

  /// Writes all bytes at their places: the file may be open, and stays the same one.
  func writeInPlace() throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.write(contentsOf: bytes)
    try file.close()
  }

  func word(_ place: Int) -> Int {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int.self) }
  }

  func half(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }

  mutating func set(_ place: Int, _ value: Int) {
    withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(place..<place + 8, with: $0) }
  }

  private var meta: Int { word(144) > word(Self.pageSize + 144) ? 0 : Self.pageSize }

  /// The places of the nodes of a page with some flags: 1 is a branch page, 2 a leaf.
  func nodes(_ page: Int, flags: Int = 2) throws -> [Int] {
    let start = page * Self.pageSize
    guard half(start + 10) == flags else { throw Unexpected() }
    return (0..<(half(start + 12) - 16) / 2).map { start + half(start + 16 + 2 * $0) }
  }

  /// The place of the record of a tree, in a main tree of one page: behind its counts of branch, leaf and overflow pages
  /// and of entries, at 8, 16, 24 and 32, is its root, at 40.
  func record(of tree: String) throws -> Int {
    for node in try nodes(word(meta + 128)) {
      let name = bytes[node + 8..<node + 8 + half(node + 6)]
      if name.elementsEqual(tree.utf8) { return node + 8 + name.count }
    }
    throw Unexpected()
  }

  /// The root page of a tree.
  func root(of tree: String) throws -> Int { word(try record(of: tree) + 40) }

  /// The node of a key in the leaf that is the root of a tree.
  func node(of key: String, in tree: String) throws -> Int {
    for node in try nodes(try root(of: tree)) where key.utf8.elementsEqual(self.key(node)) { return node }
    throw Unexpected()
  }

  private func key(_ node: Int) -> ArraySlice<UInt8> { bytes[node + 8..<node + 8 + half(node + 6)] }

  /// Has the node of one key lead to the long value of another key.
  mutating func setLongValue(of key: String, toThatOf other: String, in tree: String) throws {
    let (node, source) = (try node(of: key, in: tree), try node(of: other, in: tree))
    guard half(node + 4) == 1, half(source + 4) == 1 else { throw Unexpected() }
    bytes.replaceSubrange(node..<node + 4, with: bytes[source..<source + 4])
    set(node + 8 + half(node + 6), word(source + 8 + half(source + 6)))
  }

  /// Moves the long value of a key, which has one page, to another page.
  mutating func moveLongValue(of key: String, in tree: String, to page: Int) throws {
    let node = try node(of: key, in: tree)
    guard half(node + 4) == 1 else { throw Unexpected() }
    let place = node + 8 + half(node + 6)
    let source = word(place) * Self.pageSize
    let target = page * Self.pageSize
    bytes.replaceSubrange(target..<target + Self.pageSize, with: bytes[source..<source + Self.pageSize])
    set(target, page)
    set(place, page)
  }

  /// Gives a node another key of the same length.
  mutating func rename(_ key: String, to other: String, in tree: String) throws {
    let node = try node(of: key, in: tree)
    bytes.replaceSubrange(node + 8..<node + 8 + half(node + 6), with: other.utf8)
  }

  /// Has a tree be the pages of another one.
  mutating func setPages(of tree: String, toThoseOf other: String) throws {
    let (place, source) = (try record(of: tree), try record(of: other))
    bytes.replaceSubrange(place..<place + 48, with: bytes[source..<source + 48])
  }

  /// The first page of the long value in the leaf that is the root of a tree, and how many there are.
  func longValue(of tree: String) throws -> Range<Int> {
    for node in try nodes(try root(of: tree)) where half(node + 4) == 1 {
      let first = word(node + 8 + half(node + 6))
      return first..<first + half(first * Self.pageSize + 12)
    }
    throw Unexpected()
  }

  /// The number of pages that the head of the long value of a tree says it has.
  mutating func setLength(ofLongValueOf tree: String, _ count: Int) throws {
    let head = try longValue(of: tree).lowerBound * Self.pageSize
    bytes[head + 12] = UInt8(count)
  }

  /// Puts a page in use into the free list, in place of a page that is free. A list has the greatest number first.
  mutating func free(_ page: Int) throws {
    for list in try nodes(word(meta + 80)).map({ $0 + 16 }) where word(list) > 0 {
      let last = word(list)
      for index in 1...last {
        let above = index == 1 ? Int.max : word(list + 8 * (index - 1))
        let below = index == last ? 1 : word(list + 8 * (index + 1))
        if below < page, page < above { return set(list + 8 * index, page) }
      }
    }
    throw Unexpected()
  }

  /// Lets two nodes of a leaf change places, so that LMDB would look for some keys in vain.
  mutating func swapNodes(ofLeaf page: Int) throws {
    guard try nodes(page).count > 2 else { throw Unexpected() }
    let place = page * Self.pageSize + 16
    for byte in 0..<2 { bytes.swapAt(place + byte, place + 2 + byte) }
  }

  /// The pages that a branch page leads to.
  func children(of page: Int) throws -> [Int] {
    try nodes(page, flags: 1).map { half($0) | half($0 + 2) << 16 }
  }

  /// Has a node of a branch page lead to another page.
  mutating func setChild(of page: Int, _ index: Int, _ child: Int) throws {
    let node = try nodes(page, flags: 1)[index]
    for byte in 0..<4 { bytes[node + byte] = UInt8(truncatingIfNeeded: child >> (8 * byte)) }
  }
}
