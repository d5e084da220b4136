import Fief
import LMDB

/// The places that the last 64 commits have written, for the observations of other processes.
///
/// Each slot has the number of its commit, and the paths of the places, separated by line feeds. Slot 0 has the
/// number of the slot that was written last, and the slot before it has the commit before it. A commit writes
/// one slot, whatever the number of its writes.
struct ChangeRing {
  /// The number of slots.
  static let slots = 64
  /// The maximum length of the paths of a commit in bytes. The common ancestor of longer ones is stored.
  static let longest = 1024
  /// The length of the number of the commit.
  static let numberSize = 8
  static let separator = UInt8(ascii: "\n")

  private let nodes: TreeNodes

  init(_ nodes: TreeNodes) { self.nodes = nodes }

  // MARK: Writing

  /// Stores the places of a write that is about to commit.
  static func keep(_ places: NotedPlaces, _ writer: RecordWriter) throws {
    let nodes = try TreeNodes(writer.currentTables, writer.transaction)
    // Without entries, the tree has no records.
    guard var head = try nodes.head() else { return }
    head.lastSlot = head.lastSlot % UInt64(slots) + 1
    var contents = withUnsafeBytes(of: writer.transaction.id.littleEndian) { [UInt8]($0) }
    contents += paths(places)
    try writer.writingManaged {
      try nodes.put(head, writer)
      try nodes.put(contents, inSlot: Int(head.lastSlot), writer)
    }
  }

  /// Returns the paths of places, or the path of a common ancestor if they are too long.
  static func paths(_ places: NotedPlaces) -> [UInt8] {
    var paths: [UInt8] = []
    for (index, place) in places.enumerated() {
      if index > 0 { paths.append(separator) }
      paths += path(place)
      if paths.count > longest { return path(ancestor(of: places)) }
    }
    return paths
  }

  private static func path(_ place: [ExactText]) -> [UInt8] {
    Array(place.map(\.text).joined(separator: "/").utf8)
  }

  /// Returns the longest place at or above all of some places whose path is not too long.
  private static func ancestor(of places: NotedPlaces) -> [ExactText] {
    guard var ancestor = places.first else { return [] }
    for place in places {
      ancestor = zip(ancestor, place).prefix { $0 == $1 }.map { $0.0 }
    }
    while path(ancestor).count > longest { ancestor.removeLast() }
    return ancestor
  }

  // MARK: Checking

  /// Returns a line for each problem of the ring.
  func problems() throws -> [String] {
    var problems: [String] = []
    do {
      if let head = try nodes.head(), head.lastSlot > UInt64(Self.slots) {
        problems.append("the ring of a tree has no slot \(head.lastSlot)")
      }
      for slot in 1...Self.slots {
        let isGood = try nodes.withContents(ofSlot: slot) { Self.places(in: $0) != nil }
        if isGood == false { problems.append("slot \(slot) of the ring of a tree is damaged") }
      }
    } catch let error as FiefError {
      guard error.code == .damagedRecord else { throw error }
      problems.append(error.message)
    }
    return problems
  }

  // MARK: Reading

  /// Returns the places that the commits after a commit have written.
  ///
  /// - Returns: `nil` if the ring does not have all of these commits.
  func places(after commit: UInt64) -> NotedPlaces? {
    // A damaged ring hides nothing: everything is then evaluated.
    try? read(after: commit)
  }

  private func read(after commit: UInt64) throws -> NotedPlaces? {
    guard commit > 0, let head = try nodes.head(), var slot = Int(exactly: head.lastSlot) else { return nil }
    var places: NotedPlaces = []
    for _ in 0..<Self.slots where (1...Self.slots).contains(slot) {
      let isOlder = try nodes.withContents(ofSlot: slot) { contents in
        guard let written = Self.places(in: contents) else { throw nodes.damaged("A ring is damaged.") }
        if written.commit <= commit { return true }
        places.formUnion(written.places)
        return false
      }
      guard let isOlder else { return nil }
      if isOlder { return places }
      slot = slot == 1 ? Self.slots : slot - 1
    }
    return nil
  }

  /// Reads the contents of a slot.
  ///
  /// - Returns: `nil` if no commit writes these contents.
  static func places(in contents: UnsafeRawBufferPointer) -> (commit: UInt64, places: [[ExactText]])? {
    guard contents.count >= numberSize, contents.count <= numberSize + longest else { return nil }
    let commit = UInt64(littleEndian: contents.loadUnaligned(as: UInt64.self))
    let paths = contents.dropFirst(numberSize).split(separator: separator, omittingEmptySubsequences: false)
    var places: [[ExactText]] = []
    for path in paths {
      guard let text = String(validating: path, as: UTF8.self), let place = try? TreePath(text) else {
        return nil
      }
      places.append(place.place)
    }
    return (commit, places)
  }
}
